// The reference for the program in a terminal: a minimal program with the same output pattern. It draws a first frame,
// answers each key with a few hundred bytes, and draws 60 frames per second for 280 ms after Enter and the left arrow.
// It computes nothing, so its times are those of the machine, the kernel and the measurement itself.

#define _GNU_SOURCE
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static void put(const char *text) { (void)!write(STDOUT_FILENO, text, strlen(text)); }

// Draws some rows of 80 columns, different ones each time, and a row that confirms the answer to a key.
static void draw(int rows, int number, int answers) {
  char frame[4096];
  int length = 0;
  for (int row = 0; row < rows; row++)
    length += snprintf(frame + length, sizeof frame - length, "\033[%d;1H%072d", 3 + row, number + row);
  if (answers) length += snprintf(frame + length, sizeof frame - length, "\033[23;1HCopied %d    ", answers);
  (void)!write(STDOUT_FILENO, frame, length);
}

// Keeps a processor busy until the parent process ends.
static int be_busy(void) {
  pid_t parent = getppid();
  while (getppid() == parent)
    for (volatile int i = 0; i < 1000000; i++) continue;
  return 0;
}

int main(int count, char **words) {
  if (count > 1 && strcmp(words[1], "busy") == 0) return be_busy();
  struct termios before, raw;
  tcgetattr(STDIN_FILENO, &before);
  raw = before;
  cfmakeraw(&raw);
  tcsetattr(STDIN_FILENO, TCSANOW, &raw);
  draw(20, 0, 0);
  put("\033[24;1Hquit");

  const double beat = 1.0 / 60;
  double next = -1, end = -1;
  int frames = 0, answers = 0;
  while (1) {
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    double left = next < 0 ? 0 : next - now();
    struct timespec timeout = {.tv_sec = 0, .tv_nsec = left < 0 ? 0 : (long)(left * 1e9)};
    int ready = ppoll(&input, 1, next < 0 ? NULL : &timeout, NULL);
    if (ready > 0) {
      char key[64];
      ssize_t count = read(STDIN_FILENO, key, sizeof key);
      if (count <= 0 || key[0] == 'q') break;
      int moves = key[0] == '\r' || key[count - 1] == 'D';
      if (key[0] == 'y') answers++;
      draw(3, ++frames, key[0] == 'y' ? answers : 0);
      if (moves) {
        next = now() + beat;
        end = next + 0.28;
      }
    } else if (next >= 0 && now() >= next) {
      draw(3, ++frames, 0);
      next += beat;
      if (next > end) next = -1;
    }
  }
  tcsetattr(STDIN_FILENO, TCSANOW, &before);
  return 0;
}
