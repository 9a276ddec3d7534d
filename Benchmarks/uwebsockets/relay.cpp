// A room relay on uWebSockets that does what Benchmarks/floor does: each ale becomes a constant frame for the others in
// the room. The frames of a turn go to a socket in one system call, since sixteen sends would cost sixteen of them.
// script/bench compiles it where UWEBSOCKETS names a folder with the sources of uWebSockets. Usage: relay PORT
#include <App.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <unordered_map>
#include <utility>
#include <vector>

struct Member;
using Socket = uWS::WebSocket<false, true, Member>;
using Room = std::vector<Socket *>;

struct Member {
    Room *room;
    unsigned waiting = 0; // The ales that are to be sent at the end of the turn.
};

static constexpr std::string_view ale = R"({"type":"aleResponse"})", wanted = R"({"type":"ale")";
static std::unordered_map<std::string, Room> rooms;
static std::vector<Socket *> touched; // Those with new output.

static void relay(Socket *socket, std::string_view message) {
    if (!message.starts_with(wanted)) return;
    for (Socket *other : *socket->getUserData()->room)
        if (other != socket && other->getUserData()->waiting++ == 0) touched.push_back(other);
}

static void sendWaiting(Socket *socket) {
    unsigned count = std::exchange(socket->getUserData()->waiting, 0);
    if (count == 1) {
        socket->send(ale, uWS::BINARY);
    } else {
        socket->cork([=] {
            for (unsigned index = 0; index < count; index++) socket->send(ale, uWS::BINARY);
        });
    }
}

static void join(Socket *socket) {
    socket->getUserData()->room->push_back(socket);
    socket->send(R"({"type":"handshake"})", uWS::BINARY);
}

static void leave(Socket *socket) {
    std::erase(*socket->getUserData()->room, socket);
    if (socket->getUserData()->waiting > 0) std::erase(touched, socket);
}

int main(int count, char **words) {
    const rlim_t files = 65536;
    const rlimit limit = {files, files};
    setrlimit(RLIMIT_NOFILE, &limit);
    uWS::App::WebSocketBehavior<Member> behavior;
    // No limit and no timer, as in the floor.
    behavior.idleTimeout = 0;
    behavior.maxBackpressure = 0;
    behavior.sendPingsAutomatically = false;
    behavior.upgrade = [](auto *response, auto *request, auto *context) {
        response->template upgrade<Member>(
            {&rooms[std::string(request->getQuery("id"))]}, request->getHeader("sec-websocket-key"),
            request->getHeader("sec-websocket-protocol"), request->getHeader("sec-websocket-extensions"), context);
    };
    behavior.open = join;
    behavior.message = [](Socket *socket, std::string_view message, uWS::OpCode) { relay(socket, message); };
    behavior.close = [](Socket *socket, int, std::string_view) { leave(socket); };
    uWS::App app;
    app.ws<Member>("/socket", std::move(behavior));
    uWS::Loop::get()->addPostHandler(&touched, [](uWS::Loop *) {
        for (Socket *socket : touched) sendWaiting(socket);
        touched.clear();
    });
    const int port = count == 2 ? std::atoi(words[1]) : 0;
    app.listen("127.0.0.1", port, LIBUS_LISTEN_EXCLUSIVE_PORT, [=](us_listen_socket_t *listener) {
        if (listener && port > 0) return;
        std::fputs("relay PORT\n", stderr);
        std::exit(1);
    });
    app.run();
}
