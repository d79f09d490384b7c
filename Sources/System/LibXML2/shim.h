// Debian's libxml2 is built with ICU, and its headers include those of ICU, which conflict with Foundation's ICU on
// Linux. The only structure whose layout depends on this macro is not used here.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/HTMLparser.h>
#include <libxml/tree.h>
#include <libxml/parser.h>
