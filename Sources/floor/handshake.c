#define _GNU_SOURCE
#include "handshake.h"

#include <openssl/evp.h>
#include <openssl/sha.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define GREETING "\x82\x14{\"type\":\"handshake\"}"

enum { headBytes = 8192 };

ssize_t answerHandshake(const char *request, size_t bytes, char id[idBytes], char answer[answerBytes]) {
    const char *end = memmem(request, bytes, "\r\n\r\n", 4);
    if (!end) return bytes < headBytes ? 0 : -1;
    char head[headBytes], key[128];
    size_t length = (size_t)(end - request) + 4;
    if (length >= sizeof head) return -1;
    memcpy(head, request, length);
    head[length] = 0;
    const char *room = strstr(head, "id="), *field = strcasestr(head, "\r\nSec-WebSocket-Key:");
    if (!room || sscanf(room, "id=%63[^& \r\n]", id) != 1) return -1;
    if (!field || sscanf(field + 20, " %63[^ \r\n]", key) != 1) return -1;

    uint8_t digest[SHA_DIGEST_LENGTH], accept[32];
    strcat(key, "258EAFA5-E914-47DA-95CA-C5AB0DC85B11");
    SHA1((const uint8_t *)key, strlen(key), digest);
    EVP_EncodeBlock(accept, digest, sizeof digest);
    snprintf(
        answer, answerBytes,
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Accept: %s\r\n\r\n" GREETING,
        (const char *)accept);
    return (ssize_t)length;
}
