/* The checker in C for many certificates, each in a process of its own that a small one forks: for
   tests/certificates/mutate_certificates.py. Reads the length of each, 8 bytes, and the stream; answers with its exit status, a byte. */

#define _POSIX_C_SOURCE 200809L
#include <sys/wait.h>
#include <unistd.h>

#define main check_one
#include "../../tools/check_certificate.c"
#undef main

static int read_all(void *to, size_t size) {
    for (size_t got = 0; got < size;) {
        ssize_t more = read(0, (char *)to + got, size - got);
        if (more <= 0) return 0;
        got += (size_t)more;
    }
    return 1;
}

int main(void) {
    char *name[] = {"check_one", NULL};
    uint64_t size;
    int status;
    while (read_all(&size, sizeof size)) {
        void *data = room(size, 1);
        FILE *file = tmpfile();
        if (file == NULL || !read_all(data, size) || fwrite(data, 1, size, file) != size) return 1;
        free(data);
        rewind(file);
        pid_t child = fork();
        if (child == 0) {
            if (dup2(fileno(file), 0) < 0 || freopen("/dev/null", "w", stdout) == NULL) _exit(99);
            _exit(check_one(1, name));
        }
        fclose(file);
        if (child < 0 || waitpid(child, &status, 0) < 0) return 1;
        unsigned char answer = WIFEXITED(status) ? (unsigned char)WEXITSTATUS(status) : 98;
        if (write(1, &answer, 1) != 1) return 1;
    }
    return 0;
}
