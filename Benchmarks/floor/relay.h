// What a room relay does, whatever it waits in: it reads a handshake, unmasks a frame, looks at its type, and notes
// that the others in the room get a constant frame. Each floor includes it once, and says with MEMBER_OF_FLOOR what
// else it knows of a member.
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <search.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#define ALE "\x82\x16{\"type\":\"aleResponse\"}"
#define WANTED "{\"type\":\"ale\""
#define ANSWER "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" \
    "Sec-WebSocket-Accept: %s\r\n\r\n\x82\x14{\"type\":\"handshake\"}"

enum { aleBytes = sizeof ALE - 1, repeats = 1024, headBytes = 8192, membersAtMost = 65536, answerBytes = 256 };

typedef struct Member {
    struct Member **room; // Where the list of the room's members begins; none before the handshake.
    struct Member *next;  // In that list.
    size_t waiting;       // Bytes that are to be sent: all ales are equal, so this is the whole queue.
    uint8_t *rest;        // The beginning of a request or a frame whose end has not arrived.
    size_t restBytes;
    MEMBER_OF_FLOOR
} Member;

static int touchedCount;
static uint8_t ales[aleBytes * repeats];
static Member members[membersAtMost], *touched[membersAtMost]; // By descriptor; those with new output.

static int descriptorOf(const Member *member) { return (int)(member - members); }

static void enterRoom(Member *member, Member **room) {
    member->room = room;
    member->next = *room;
    *room = member;
}

static void leaveRoom(Member *member) {
    Member **link = member->room;
    while (link && *link != member) link = &(*link)->next;
    if (link) *link = member->next;
    free(member->rest);
}

// Makes the room for rooms and ales; returns whether there was enough memory.
static bool prepare(void) {
    for (int index = 0; index < repeats; index++) memcpy(ales + index * aleBytes, ALE, aleBytes);
    return hcreate(2 * membersAtMost) != 0;
}

// Where the next ale of the queue begins, and as many bytes of it as one system call takes.
static const uint8_t *nextBytes(const Member *member, size_t *bytes) {
    size_t begun = (aleBytes - member->waiting % aleBytes) % aleBytes, most = sizeof ales - begun;
    *bytes = most < member->waiting ? most : member->waiting;
    return ales + begun;
}

// Reads a whole request, writes the answer, of less than answerBytes, and finds the room; returns the length of the
// request, 0: not whole yet, -1: no handshake.
static ssize_t readHandshake(uint8_t *start, size_t bytes, char *answer, Member ***room) {
    char *request = (char *)start, *end = memmem(start, bytes, "\r\n\r\n", 4);
    char id[64], key[128];
    if (!end) return bytes < headBytes ? 0 : -1;
    end[3] = 0;
    char *name = strstr(request, "id="), *field = strcasestr(request, "\nSec-WebSocket-Key:");
    if (!name || sscanf(name, "id=%63[^& \r\n]", id) != 1) return -1;
    if (!field || sscanf(field, "%*[^:]: %63[^ \r\n]", key) != 1) return -1;
    uint8_t digest[SHA_DIGEST_LENGTH], accept[32];
    strcat(key, "258EAFA5-E914-47DA-95CA-C5AB0DC85B11");
    EVP_EncodeBlock(accept, SHA1((uint8_t *)key, strlen(key), digest), sizeof digest);
    snprintf(answer, answerBytes, ANSWER, (char *)accept);
    ENTRY *entry = hsearch((ENTRY){.key = id}, FIND);
    if (!entry) entry = hsearch((ENTRY){strdup(id), calloc(1, sizeof(Member *))}, ENTER);
    if (!entry) return -1;
    *room = entry->data;
    return end + 4 - request;
}

// Reads one frame and relays it; returns its length, 0: not whole yet, -1: the member is leaving.
static ssize_t takeFrame(Member *member, uint8_t *frame, size_t bytes) {
    if (bytes < 6) return 0;
    size_t length = frame[1] & 0x7f, head = length == 126 ? 8 : 6;
    if ((frame[0] & 0x0f) == 8 || length == 127 || !(frame[1] & 0x80)) return -1;
    if (length == 126) length = (size_t)frame[2] << 8 | frame[3];
    if (bytes < head + length) return 0;
    uint8_t *payload = frame + head, *key = payload - 4;
    for (size_t index = 0; index < length; index++) payload[index] ^= key[index & 3];
    bool isAle = length >= sizeof WANTED - 1 && memcmp(payload, WANTED, sizeof WANTED - 1) == 0;
    for (Member *other = *member->room; isAle && other; other = other->next) {
        if (other == member) continue;
        if (other->waiting == 0) touched[touchedCount++] = other;
        other->waiting += aleBytes;
    }
    return (ssize_t)(head + length);
}
