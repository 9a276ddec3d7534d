// Measures an ale of version 2 as JSON, as JSON with permessage-deflate (RFC 7692), and as CBOR (RFC 8949):
// bytes on the wire, and processor time per ale. script/dev/encodings builds and runs it; needs zlib.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

enum { ALES = 200000, LARGEST = 512 };

struct ale {
    uint8_t from[16];
    uint64_t seq;
    uint64_t at;  // Microseconds since 1970.
};

// The ales of a room of two in which a member cheers about four times a second.
static struct ale ale(uint64_t number) {
    struct ale ale = {.seq = number, .at = 1800000000000000 + number * 250000 + number * 7919 % 250000};
    memcpy(ale.from, "\x2e\xd6\x65\x7d\xe9\x27\x46\x8b\x85\xe1\x26\x65\xa8\xae\xa6\xa2", 16);
    return ale;
}

static size_t text(uint8_t *out, const char *text) {
    size_t length = strlen(text);
    memcpy(out, text, length);
    return length;
}

static size_t digits(uint8_t *out, uint64_t value, int width) {
    uint8_t reversed[20];
    int count = 0;
    do reversed[count++] = '0' + value % 10;
    while ((value /= 10) || count < width);
    for (int index = 0; index < count; index++) out[index] = reversed[count - 1 - index];
    return count;
}

static size_t json(uint8_t *out, struct ale ale) {
    uint8_t *start = out;
    out += text(out, "{\"type\":\"aleResponse\",\"from\":\"");
    for (int index = 0; index < 16; index++) {
        *out++ = "0123456789abcdef"[ale.from[index] >> 4];
        *out++ = "0123456789abcdef"[ale.from[index] & 15];
        if (index == 3 || index == 5 || index == 7 || index == 9) *out++ = '-';
    }
    out += text(out, "\",\"seq\":");
    out += digits(out, ale.seq, 1);
    out += text(out, ",\"at\":\"2027-01-15T");
    uint64_t milliseconds = ale.at / 1000 % 86400000;
    out += digits(out, milliseconds / 3600000, 2);
    *out++ = ':';
    out += digits(out, milliseconds / 60000 % 60, 2);
    *out++ = ':';
    out += digits(out, milliseconds / 1000 % 60, 2);
    *out++ = '.';
    out += digits(out, milliseconds % 1000, 3);
    out += text(out, "Z\"}");
    return out - start;
}

static size_t number(uint8_t *out, uint64_t value) {
    int size = value < 24 ? 0 : value < 256 ? 1 : value < 65536 ? 2 : value < 4294967296 ? 4 : 8;
    out[0] = size == 0 ? value : size == 1 ? 24 : size == 2 ? 25 : size == 4 ? 26 : 27;
    for (int index = 0; index < size; index++) out[1 + index] = value >> 8 * (size - 1 - index);
    return 1 + size;
}

static size_t name(uint8_t *out, const char *name) {
    out[0] = 0x60 | strlen(name);
    return 1 + text(out + 1, name);
}

// The same members with the same names; the id as bytes, the time in microseconds.
static size_t cbor(uint8_t *out, struct ale ale) {
    uint8_t *start = out;
    *out++ = 0xa4;
    out += name(out, "type");
    out += name(out, "aleResponse");
    out += name(out, "from");
    *out++ = 0x50;
    memcpy(out, ale.from, 16);
    out += 16;
    out += name(out, "seq");
    out += number(out, ale.seq);
    out += name(out, "at");
    out += number(out, ale.at);
    return out - start;
}

static double cpu(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

// The memory that zlib has allocated, in bytes.
static size_t held;

static void *take(void *opaque, uInt items, uInt size) {
    (void)opaque;
    held += (size_t)items * size;
    return malloc((size_t)items * size);
}

static void give(void *opaque, void *block) {
    (void)opaque;
    free(block);
}

static void row(const char *what, double bytes, double write, double read, double memory) {
    printf("| %s | %.1f | %.0f | ", what, bytes, write);
    if (read > 0) printf("%.0f | ", read);
    else printf("– | ");
    if (memory > 0) printf("%.0f |\n", memory / 1024);
    else printf("0 |\n");
}

// A frame has a head of two bytes up to 125 bytes of payload, and of four above (RFC 6455 §5.2).
static size_t framed(size_t payload) { return payload + (payload > 125 ? 4 : 2); }

static void plain(const char *what, size_t (*write)(uint8_t *, struct ale)) {
    static uint8_t out[LARGEST];
    size_t bytes = 0;
    volatile uint8_t sink = 0;
    double begin = cpu();
    for (uint64_t index = 1; index <= ALES; index++) {
        size_t length = write(out, ale(index));
        sink ^= out[length - 1];
        bytes += framed(length);
    }
    row(what, (double)bytes / ALES, (cpu() - begin) / ALES, 0, 0);
}

// Deflates each ale and inflates it again, with or without the context of the ales before.
static void deflated(const char *what, int level, int window, int memory, int keeps) {
    static uint8_t in[LARGEST], out[LARGEST], back[LARGEST];
    z_stream writer = {.zalloc = take, .zfree = give}, reader = {.zalloc = take, .zfree = give};
    held = 0;
    if (deflateInit2(&writer, level, Z_DEFLATED, -window, memory, Z_DEFAULT_STRATEGY) != Z_OK) abort();
    size_t context = held;
    if (inflateInit2(&reader, -window) != Z_OK) abort();
    size_t bytes = 0;
    double writing = 0, reading = 0;
    for (uint64_t index = 1; index <= ALES; index++) {
        size_t length = json(in, ale(index));
        double begin = cpu();
        if (!keeps) deflateReset(&writer);
        writer.next_in = in;
        writer.avail_in = length;
        writer.next_out = out;
        writer.avail_out = sizeof out;
        if (deflate(&writer, Z_SYNC_FLUSH) != Z_OK) abort();
        double middle = cpu();
        size_t packed = sizeof out - writer.avail_out;
        // §7.2.1: without the four bytes at the end, which the reader appends again.
        bytes += framed(packed - 4);
        if (!keeps) inflateReset(&reader);
        reader.next_in = out;
        reader.avail_in = packed;
        reader.next_out = back;
        reader.avail_out = sizeof back;
        if (inflate(&reader, Z_SYNC_FLUSH) != Z_OK) abort();
        reading += cpu() - middle;
        writing += middle - begin;
        if (sizeof back - reader.avail_out != length || memcmp(in, back, length) != 0) abort();
    }
    deflateEnd(&writer);
    inflateEnd(&reader);
    // The clock itself is part of what was measured.
    double begin = cpu();
    for (int index = 0; index < ALES; index++) (void)cpu();
    double clock = (cpu() - begin) / ALES;
    row(what, (double)bytes / ALES, writing / ALES - clock, reading / ALES - clock, keeps ? context : 0);
}

int main(void) {
    puts("| an ale of version 2 | bytes with the frame | ns to write | ns to read | KiB kept for writing |");
    puts("|---|---|---|---|---|");
    plain("JSON", json);
    plain("CBOR", cbor);
    deflated("JSON, deflated, level 1, context kept, window 15", 1, 15, 8, 1);
    deflated("JSON, deflated, level 6, context kept, window 15", 6, 15, 8, 1);
    deflated("JSON, deflated, level 1, context kept, window 10", 1, 10, 1, 1);
    deflated("JSON, deflated, level 1, no context kept", 1, 15, 8, 0);
}
