/* What the program is linked with. */
#ifndef NAKLAB_LIBRARIES_H
#define NAKLAB_LIBRARIES_H

/* Prints the libraries that are part of the program, with versions and licences, as a bill of materials (CycloneDX). NOTICE has the same list. */
void put_libraries(void);

#endif
