#ifndef CTERMINAL_H
#define CTERMINAL_H

#include <termios.h>
#include <sys/ioctl.h>
#include <sys/types.h>

#endif
