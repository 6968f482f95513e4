/* SPDX-License-Identifier: MIT
 *
 * Each kernel function that matters carries marks; the marks of all functions on a stack, together, decide.
 * So a wait for a page below fsync, below a buffered write and below a page fault are three things, although
 * the wait channel is one. Symbols and marks are matched once, when the symbols are loaded.
 */
#include "stacks.h"

#include <stdlib.h>
#include <string.h>

enum mark {
	MARK_SCHED = 1 << 0, /* the scheduler itself: says nothing */
	MARK_THROTTLE = 1 << 1,
	MARK_MEMORY = 1 << 2,
	MARK_SYNC = 1 << 3,  /* the program asked for flushing */
	MARK_FLUSH = 1 << 4, /* waits for writeback, a journal or a device */
	MARK_FREE = 1 << 5,  /* frees blocks: a bio waited for below it is a discard */
	MARK_GRAB = 1 << 6,  /* takes a page of a file for writing; counts as the innermost function */
	MARK_DIRECT = 1 << 7,
	MARK_WRITE = 1 << 8, /* entered by a write */
	MARK_MKWRITE = 1 << 9,
	MARK_IO = 1 << 10, /* a wait for a page, a buffer, a bio or a tag, either way */
	MARK_BIO = 1 << 11,
	MARK_READ = 1 << 12,
};

struct rule {
	const char *name; /* a '*' at the end: all that begin so */
	unsigned marks;
};

/* clang-format off */
static const struct rule rules[] = {
	{"balance_dirty_pages", MARK_THROTTLE},

	{"do_try_to_free_pages", MARK_MEMORY}, {"try_to_free_mem_cgroup_pages", MARK_MEMORY},
	{"try_to_free_pages", MARK_MEMORY}, {"shrink_node", MARK_MEMORY}, {"reclaim_throttle", MARK_MEMORY},
	{"throttle_direct_reclaim", MARK_MEMORY}, {"__mem_cgroup_handle_over_high", MARK_MEMORY},
	{"do_swap_page", MARK_MEMORY}, {"swap_read_folio*", MARK_MEMORY}, {"swapin_readahead", MARK_MEMORY},
	{"shmem_swapin*", MARK_MEMORY}, {"__alloc_pages_direct_*", MARK_MEMORY}, {"mem_cgroup_oom*", MARK_MEMORY},
	{"folio_throttle_swaprate", MARK_MEMORY}, {"compact_zone*", MARK_MEMORY}, {"psi_memstall_*", MARK_MEMORY},

	{"do_fsync", MARK_SYNC}, {"__x64_sys_fsync", MARK_SYNC}, {"__x64_sys_fdatasync", MARK_SYNC},
	{"__x64_sys_sync", MARK_SYNC}, {"ksys_sync", MARK_SYNC}, {"__x64_sys_syncfs", MARK_SYNC},
	{"__x64_sys_msync", MARK_SYNC}, {"__x64_sys_sync_file_range", MARK_SYNC}, {"__arm64_sys_fsync", MARK_SYNC},
	{"__arm64_sys_fdatasync", MARK_SYNC}, {"__arm64_sys_msync", MARK_SYNC}, {"__arm64_sys_syncfs", MARK_SYNC},

	{"folio_wait_writeback*", MARK_FLUSH}, {"folio_wait_stable", MARK_FLUSH}, {"wait_on_page_writeback", MARK_FLUSH},
	{"__filemap_fdatawait_range", MARK_FLUSH}, {"file_write_and_wait_range", MARK_FLUSH},
	{"filemap_write_and_wait_range", MARK_FLUSH}, {"filemap_flush", MARK_FLUSH}, {"do_writepages", MARK_FLUSH},
	{"filemap_fdatawrite_wbc", MARK_FLUSH}, {"generic_write_sync", MARK_FLUSH}, {"vfs_fsync_range", MARK_FLUSH},
	{"jbd2_log_wait_commit", MARK_FLUSH}, {"jbd2_complete_transaction", MARK_FLUSH}, {"start_this_handle", MARK_FLUSH},
	{"add_transaction_credits", MARK_FLUSH}, {"wait_transaction_*", MARK_FLUSH}, {"do_get_write_access", MARK_FLUSH},
	{"__jbd2_log_wait_for_space", MARK_FLUSH}, {"jbd2_log_do_checkpoint", MARK_FLUSH}, {"jbd2_journal_lock_updates", MARK_FLUSH},
	{"jbd2_fc_*", MARK_FLUSH}, {"ext4_fc_*", MARK_FLUSH},
	{"xlog_*", MARK_FLUSH}, {"xfs_log_*", MARK_FLUSH}, {"xfs_ail_*", MARK_FLUSH}, {"xfs_trans_*", MARK_FLUSH},
	{"btrfs_commit_transaction*", MARK_FLUSH}, {"btrfs_sync_log", MARK_FLUSH}, {"wait_current_trans", MARK_FLUSH},
	{"btrfs_wait_*", MARK_FLUSH}, {"btrfs_start_ordered_extent*", MARK_FLUSH}, {"__reserve_bytes", MARK_FLUSH},
	{"handle_reserve_ticket", MARK_FLUSH}, {"wait_reserve_ticket", MARK_FLUSH}, {"write_all_supers", MARK_FLUSH},
	{"btrfs_write_and_wait*", MARK_FLUSH}, {"btrfs_btree_wait_writeback_range", MARK_FLUSH},
	{"btrfs_balance_delayed_items", MARK_FLUSH}, {"btrfs_throttle*", MARK_FLUSH},
	{"blkdev_issue_flush", MARK_FLUSH}, {"wb_wait_for_completion", MARK_FLUSH}, {"sync_inodes_sb", MARK_FLUSH},
	{"wait_sb_inodes", MARK_FLUSH}, {"__writeback_inodes_sb_nr", MARK_FLUSH}, {"sync_filesystem", MARK_FLUSH},
	{"rq_qos_wait", MARK_FLUSH}, {"wbt_wait", MARK_FLUSH}, {"wait_on_inode", MARK_FLUSH},

	{"evict", MARK_FREE}, {"ext4_free_blocks", MARK_FREE}, {"ext4_truncate", MARK_FREE}, {"blkdev_issue_discard", MARK_FREE | MARK_BIO},
	{"submit_bio_wait", MARK_IO | MARK_BIO},

	{"__filemap_get_folio*", MARK_GRAB}, {"write_begin_get_folio", MARK_GRAB}, {"iomap_get_folio", MARK_GRAB},
	{"pagecache_get_page", MARK_GRAB}, {"grab_cache_page_write_begin", MARK_GRAB},
	{"do_page_mkwrite", MARK_MKWRITE}, {"fault_dirty_shared_page", MARK_MKWRITE}, 
	{"ext4_page_mkwrite", MARK_MKWRITE}, {"iomap_page_mkwrite", MARK_MKWRITE}, {"btrfs_page_mkwrite", MARK_MKWRITE},
	{"truncate_inode_pages_range", MARK_MKWRITE},

	{"__iomap_dio_rw", MARK_DIRECT}, {"iomap_dio_*", MARK_DIRECT}, {"__blockdev_direct_IO", MARK_DIRECT},
	{"btrfs_direct_write", MARK_DIRECT}, {"blkdev_direct_IO*", MARK_DIRECT},
	{"vfs_write", MARK_WRITE}, {"ksys_pwrite64", MARK_WRITE}, {"vfs_writev", MARK_WRITE}, {"vfs_iter_write", MARK_WRITE},

	{"folio_wait_bit*", MARK_IO}, {"__folio_lock*", MARK_IO}, {"__wait_on_buffer", MARK_IO}, {"io_schedule*", MARK_IO},
	{"out_of_line_wait_on_bit*", MARK_IO}, {"bit_wait_io*", MARK_IO}, {"xfs_buf_iowait", MARK_IO}, {"blk_io_schedule", MARK_IO},
	{"blk_mq_get_tag", MARK_IO}, {"read_extent_buffer_pages*", MARK_IO}, {"btrfs_read_extent_buffer", MARK_IO},
	{"migration_entry_wait*", MARK_IO}, {"filemap_update_page", MARK_IO | MARK_READ},
	{"filemap_read", MARK_READ}, {"filemap_fault", MARK_READ}, {"filemap_get_pages", MARK_READ},
	{"page_cache_ra_*", MARK_READ}, {"do_read_cache_folio", MARK_READ}, {"ext4_sb_bread*", MARK_READ}, {"ext4_bread*", MARK_READ},

	{"__schedule", MARK_SCHED}, {"schedule", MARK_SCHED}, {"schedule_timeout", MARK_SCHED}, {"schedule_preempt_disabled", MARK_SCHED},
	{"io_schedule", MARK_SCHED | MARK_IO}, {"io_schedule_timeout", MARK_SCHED | MARK_IO},
};
/* clang-format on */

struct symbol {
	uint64_t address;
	char *name;
	unsigned marks;
};

static struct symbol *symbols;
static size_t n_symbols;

/* How often a leaf was judged to be something. */
static struct {
	const char *leaf;
	enum stack_class class;
	uint64_t count;
} judged[512];

static unsigned marks_of(const char *name)
{
	unsigned marks = 0;

	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
		size_t len = strlen(rules[i].name);
		size_t own = strcspn(name, "."); /* without .isra.0 and the like */

		if (rules[i].name[len - 1] == '*' ? strncmp(name, rules[i].name, len - 1) == 0
						  : own == len && strncmp(name, rules[i].name, len) == 0)
			marks |= rules[i].marks;
	}
	return marks;
}

static int by_address(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

void stacks_load(void)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	unsigned long address;
	char line[512], type, name[256];
	size_t cap = 0;

	while (file && fgets(line, sizeof line, file)) {
		if (sscanf(line, "%lx %c %255s", &address, &type, name) != 3 || !strchr("tTwW", type))
			continue;
		if (n_symbols == cap) {
			cap = cap * 2 + 65536;
			symbols = realloc(symbols, cap * sizeof *symbols);
		}
		symbols[n_symbols++] = (struct symbol){address, strdup(name), marks_of(name)};
	}
	if (file)
		fclose(file);
	qsort(symbols, n_symbols, sizeof *symbols, by_address);
}

static const struct symbol *symbol_at(uint64_t address)
{
	size_t low = 0, high = n_symbols;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (symbols[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &symbols[low - 1] : NULL;
}

static enum stack_class class_of(unsigned marks, unsigned leaf)
{
	if (marks & MARK_THROTTLE)
		return STACK_THROTTLE;
	if (marks & MARK_MEMORY)
		return STACK_MEMORY;
	if (marks & MARK_SYNC)
		return STACK_FLUSH_ASKED;
	if (marks & MARK_FLUSH || leaf & MARK_GRAB || (marks & MARK_BIO && marks & MARK_FREE))
		return STACK_FLUSH;
	if (marks & MARK_DIRECT)
		return marks & MARK_WRITE ? STACK_FLUSH : STACK_READ;
	if (!(marks & MARK_IO))
		return STACK_OTHER;
	return marks & (MARK_MKWRITE | MARK_GRAB) && !(marks & MARK_READ) ? STACK_FLUSH : STACK_READ;
}

static void count(const char *leaf, enum stack_class class)
{
	size_t i = 0;

	while (i < sizeof judged / sizeof *judged && judged[i].count &&
	       (judged[i].class != class || strcmp(judged[i].leaf, leaf) != 0))
		i++;
	if (i == sizeof judged / sizeof *judged)
		return;
	judged[i].leaf = leaf;
	judged[i].class = class;
	judged[i].count++;
}

enum stack_class stack_judge(const uint64_t *frames, size_t n)
{
	const struct symbol *leaf = NULL;
	unsigned marks = 0;
	enum stack_class class;

	for (size_t i = 0; i < n; i++) {
		const struct symbol *symbol = symbol_at(frames[i]);

		if (frames[i] >= (uint64_t)-4096 || !symbol) /* a mark between contexts */
			continue;
		marks |= symbol->marks;
		if (!leaf && !(symbol->marks & MARK_SCHED))
			leaf = symbol;
	}
	class = class_of(marks, leaf ? leaf->marks : 0);
	count(leaf ? leaf->name : "?", class);
	return class;
}

const char *stack_class_name(enum stack_class class)
{
	static const char *const names[STACK_CLASSES] = {"other", "dirty_throttle", "flush_asked",
							 "flush", "read",	    "memory"};

	return names[class];
}

void stacks_print(FILE *out)
{
	for (size_t i = 0; i < sizeof judged / sizeof *judged && judged[i].count; i++)
		fprintf(out, "%-16s %8lu %s\n", stack_class_name(judged[i].class), judged[i].count,
			judged[i].leaf);
}
