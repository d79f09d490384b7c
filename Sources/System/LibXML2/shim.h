// Debian's libxml2 is built with ICU and its headers then include ICU's, which are not those of Foundation on Linux.
// Nothing here touches the one structure whose layout depends on it.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/HTMLparser.h>
#include <libxml/tree.h>
#include <libxml/parser.h>
