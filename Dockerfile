# The server and the client in a small image: docker build --tag letsswitch .
FROM swift:6.3.1-bookworm AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libcurl4-openssl-dev libpq-dev libssl-dev pkg-config \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY Package.swift ./
COPY Plugins Plugins
COPY Benchmarks Benchmarks
COPY Fuzz Fuzz
COPY Sources Sources
COPY Tests Tests
COPY migrations migrations
COPY script/dev/embed script/dev/release script/dev/
# The commit, which the folder of the build does not have: docker build --build-arg COMMIT="$(git rev-parse --short=8 HEAD)"
ARG COMMIT=""
RUN programs=$(script/dev/release letsswitch-server letsswitch) \
    && mkdir /programs \
    && strip --strip-all -o /programs/letsswitch-server "$programs/letsswitch-server" \
    && strip --strip-all -o /programs/letsswitch "$programs/letsswitch"

FROM debian:bookworm-slim
LABEL org.opencontainers.image.title="Let's Switch"
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates libcurl4 libpq5 libssl3 libstdc++6 \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --gid 10001 letsswitch \
    && useradd --uid 10001 --gid 10001 --no-create-home --shell /usr/sbin/nologin letsswitch \
    && install --directory --owner=10001 --group=10001 --mode=0700 /var/lib/letsswitch
COPY --from=build /programs/ /usr/local/bin/
USER 10001:10001
# The client keeps its token in the volume too: nothing else can be written.
ENV HOST=0.0.0.0 LOG_FORMAT=json DATA_DIR=/var/lib/letsswitch XDG_CONFIG_HOME=/var/lib/letsswitch/client
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["letsswitch-server", "healthcheck"]
ENTRYPOINT ["letsswitch-server"]
CMD ["serve"]
