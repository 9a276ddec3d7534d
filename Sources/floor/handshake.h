// The opening handshake of RFC 6455, as far as a client that keeps to it needs it.
#pragma once

#include <stddef.h>
#include <sys/types.h>

enum { idBytes = 64, answerBytes = 512 };

// Reads the request's `id=` and its key, and writes the 101 with the first frame of version 1 behind it.
// Returns the length of the request, 0: more has to arrive, -1: it is no handshake.
ssize_t answerHandshake(const char *request, size_t bytes, char id[idBytes], char answer[answerBytes]);
