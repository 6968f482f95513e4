/* SPDX-License-Identifier: MIT
 *
 * The constants of the recording format, version 1, as docs/buildtop-recording.5 specifies it. Nothing here
 * may ever change its meaning: files outlive programs. New things are new tags, new record types, or bytes
 * behind the known ones. The limits are what a reader believes and a writer keeps.
 */
#ifndef STORE_FORMAT_H
#define STORE_FORMAT_H

#include <stdint.h>

#define FORMAT_VERSION 1

/* zstd's own marks, and the two of its sixteen skippable ones that we use. */
#define FORMAT_MAGIC_ZSTD      0xFD2FB528u
#define FORMAT_MAGIC_SKIPPABLE 0x184D2A50u /* to …5F */
#define FORMAT_MAGIC_HEADER    0x184D2A5Bu
#define FORMAT_MAGIC_INDEX     0x184D2A5Cu

#define FORMAT_SKIPPABLE_HEAD 8 /* magic and size, 32 bits each */
#define FORMAT_MARK_SIZE      8
#define FORMAT_HEADER_MARK    "buildtop" /* first in the header's content */
#define FORMAT_INDEX_MARK     "btpindex" /* first in the index's content and last in the file */
#define FORMAT_CRC_SIZE	      4
#define FORMAT_TRAILER_SIZE   (FORMAT_CRC_SIZE + 4 + FORMAT_MARK_SIZE)

#define FORMAT_WINDOW_LOG    17
#define FORMAT_FRAME_SAMPLES 60
#define FORMAT_COARSE_US     1000 /* the coarse grain of looks' times */

enum format_field { /* of the header */
		    FIELD_RUN_ID = 1,
		    FIELD_MODE,
		    FIELD_TOOL_VERSION,
		    FIELD_COMMAND_WORD,
		    FIELD_WORKDIR,
		    FIELD_LABEL,
		    FIELD_VCS_COMMIT,
		    FIELD_VCS_DIRTY,
		    FIELD_HOST,
		    FIELD_KERNEL,
		    FIELD_MACHINE,
		    FIELD_BOOT_ID,
		    FIELD_CPUS,
		    FIELD_TICKS_PER_S,
		    FIELD_MEMORY_TOTAL,
		    FIELD_PAGE_BYTES,
		    FIELD_START_WALL,
		    FIELD_START_MONO,
		    FIELD_INTERVAL,
		    FIELD_LOOK_INTERVAL,
		    FIELD_SOURCE,
		    FIELD_COLUMN,
		    FIELD_ALERT = 40,
};

enum format_index_field { INDEX_FRAME = 1, INDEX_END };

enum format_record { RECORD_SAMPLE = 1, RECORD_GAP, RECORD_END };

/* Why samples are missing, in a gap record. */
enum format_gap { GAP_QUEUE = 1, GAP_WRITE };

/* The bits of a row's change mask before those of its columns. */
enum format_task_bit {
	TASK_BIT_PPID,
	TASK_BIT_UID,
	TASK_BIT_FLAGS,
	TASK_BIT_COMM,
	TASK_BIT_CMDLINE,
	TASK_BIT_STATE,
	TASK_BITS
};
enum format_mount_bit {
	MOUNT_BIT_POINT,
	MOUNT_BIT_TYPE,
	MOUNT_BIT_SOURCE,
	MOUNT_BIT_FLAGS,
	MOUNT_BIT_POINTS,
	MOUNT_BITS
};
enum format_disk_bit { DISK_BIT_NAME, DISK_BITS };

/* Behind the looks of a sample's record, where there is something to tell: tag, length, bytes. */
enum format_section { SECTION_MOUNT_NOTES = 1 };

/* What a reader believes. */
#define LIMIT_HEADER_BYTES  (8u << 20)
#define LIMIT_INDEX_BYTES   (64u << 20)
#define LIMIT_FRAME_BYTES   (64u << 20) /* of a data frame, packed or unpacked */
#define LIMIT_RECORD_BYTES  (48u << 20)
#define LIMIT_STRING_BYTES  (1u << 20)
#define LIMIT_STRINGS_BYTES (64u << 20) /* of all strings of a sample */
#define LIMIT_ROWS	    (1u << 20)
#define LIMIT_SITES	    65536u
#define LIMIT_LOOKS	    65536u
#define LIMIT_COLUMNS	    1024u
#define LIMIT_WINDOW_LOG    23
/* A writer begins a new frame beyond this, so that no frame comes near the reader's limit. */
#define LIMIT_FRAME_GOAL (8u << 20)

#endif
