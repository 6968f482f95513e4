/* SPDX-License-Identifier: MIT
 *
 * The table of wait channels. A better table makes old recordings better too, since they keep the raw names:
 * add lines here, with where the name was found. A name that ends in '*' stands for all that begin so; the
 * first line that fits counts, so exact names stand before patterns.
 */
#include "symbol.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct symbol {
	const char *name;
	enum symbol_kind kind;
};

/* clang-format off */
static const struct symbol symbols[] = {
	/* Dirty throttling; every kernel, zfs by its own functions */
	{"balance_dirty_pages*", SYMBOL_THROTTLE},
	{"dmu_tx_wait", SYMBOL_THROTTLE}, /* zfs */
	{"dmu_tx_delay", SYMBOL_THROTTLE},
	{"txg_wait_open", SYMBOL_THROTTLE},

	/* Page waits */
	{"folio_wait_bit", SYMBOL_FLUSH}, /* 5.16+, only below folio_wait_writeback */
	{"folio_wait_writeback*", SYMBOL_FLUSH},
	{"folio_wait_stable", SYMBOL_FLUSH},
	{"wait_on_page_bit", SYMBOL_FLUSH}, /* 4.4 to 5.15 */
	{"wait_on_page_writeback*", SYMBOL_FLUSH},
	{"wait_for_stable_page", SYMBOL_FLUSH},
	{"__filemap_fdatawait_range", SYMBOL_FLUSH},
	{"__filemap_get_folio", SYMBOL_GRAB},
	{"pagecache_get_page", SYMBOL_GRAB},
	{"grab_cache_page_write_begin", SYMBOL_GRAB},
	{"wait_on_page_bit_common", SYMBOL_PAGE}, /* 4.10 to 5.15 */
	{"__wait_on_bit", SYMBOL_PAGE},

	/* ext4, jbd2 */
	{"jbd2_log_wait_commit", SYMBOL_FLUSH},
	{"add_transaction_credits", SYMBOL_FLUSH},
	{"do_get_write_access", SYMBOL_FLUSH},
	{"wait_transaction_locked", SYMBOL_FLUSH},
	{"wait_transaction_switching", SYMBOL_FLUSH},
	{"start_this_handle", SYMBOL_FLUSH},
	{"jbd2_journal_lock_updates", SYMBOL_FLUSH},
	{"jbd2_log_do_checkpoint", SYMBOL_FLUSH},
	{"__jbd2_log_wait_for_space", SYMBOL_FLUSH},
	{"jbd2_fc_*", SYMBOL_FLUSH},
	{"ext4_fc_*", SYMBOL_FLUSH},
	/* xfs */
	{"xlog_*", SYMBOL_FLUSH},
	{"xfs_log_force*", SYMBOL_FLUSH},
	{"_xfs_log_force*", SYMBOL_FLUSH},
	{"xfs_ail_push_all_sync", SYMBOL_FLUSH},
	/* btrfs */
	{"__reserve_bytes", SYMBOL_FLUSH},
	{"write_all_supers", SYMBOL_FLUSH},
	{"wait_current_trans", SYMBOL_FLUSH},
	{"wait_log_commit", SYMBOL_FLUSH},
	{"handle_reserve_ticket", SYMBOL_FLUSH},
	{"wait_reserve_ticket", SYMBOL_FLUSH},
	{"btrfs_btree_wait_writeback_range", SYMBOL_FLUSH},
	{"btrfs_start_ordered_extent*", SYMBOL_FLUSH},
	{"btrfs_commit_transaction*", SYMBOL_FLUSH},
	{"btrfs_sync_log", SYMBOL_FLUSH},
	{"btrfs_wait_*", SYMBOL_FLUSH},
	{"btrfs_balance_delayed_items", SYMBOL_FLUSH},
	{"btrfs_throttle", SYMBOL_FLUSH},
	/* f2fs, zfs */
	{"f2fs_issue_flush", SYMBOL_FLUSH},
	{"zil_commit*", SYMBOL_FLUSH},
	{"txg_wait_synced*", SYMBOL_FLUSH},
	/* any file system and the block layer */
	{"wb_wait_for_completion", SYMBOL_FLUSH},
	{"sync_inodes_sb", SYMBOL_FLUSH},
	{"wait_sb_inodes", SYMBOL_FLUSH},
	{"__writeback_inodes_sb_nr", SYMBOL_FLUSH},
	{"bdi_split_work_to_wbs", SYMBOL_FLUSH},
	{"rq_qos_wait", SYMBOL_FLUSH}, /* 5.0+ */
	{"wbt_wait", SYMBOL_FLUSH},    /* 4.10 to 4.18 */
	{"blkdev_issue_flush", SYMBOL_FLUSH},

	/* Reading */
	{"folio_wait_bit_common", SYMBOL_READ}, /* 5.16+, below filemap_fault and filemap_read */
	{"__folio_lock*", SYMBOL_READ},
	{"folio_put_wait_locked", SYMBOL_READ},
	{"__lock_page*", SYMBOL_READ},
	{"wait_on_page_bit_killable", SYMBOL_READ},
	{"put_and_wait_on_page_locked", SYMBOL_READ}, /* 5.0 to 5.15 */
	{"generic_file_buffered_read", SYMBOL_READ},  /* 4.18 to 5.11 */
	{"filemap_update_page", SYMBOL_READ},
	{"filemap_get_pages", SYMBOL_READ},
	{"do_read_cache_folio", SYMBOL_READ},
	{"do_read_cache_page", SYMBOL_READ},
	{"ext4_read_bh*", SYMBOL_READ},
	{"__ext4_find_entry", SYMBOL_READ},
	{"__ext4_get_inode_loc*", SYMBOL_READ},
	{"ext4_read_block_bitmap_nowait", SYMBOL_READ},
	{"__wait_on_buffer", SYMBOL_READ},
	{"out_of_line_wait_on_bit", SYMBOL_READ},
	{"bit_wait_io", SYMBOL_READ},
	{"io_schedule", SYMBOL_READ},
	{"blk_mq_get_tag", SYMBOL_READ},
	{"get_request", SYMBOL_READ}, /* up to 4.18 */
	{"submit_bio_wait", SYMBOL_READ},
	{"blk_wait_io", SYMBOL_READ},
	{"__iomap_dio_rw", SYMBOL_PAGE}, /* direct I/O, both ways */
	{"xfs_buf_iowait", SYMBOL_READ},
	{"read_extent_buffer_pages*", SYMBOL_READ}, /* btrfs */
	{"migration_entry_wait*", SYMBOL_READ},

	/* Memory */
	{"reclaim_throttle", SYMBOL_MEMORY}, /* 5.16+ */
	{"throttle_direct_reclaim", SYMBOL_MEMORY},
	{"shrink_inactive_list", SYMBOL_MEMORY},
	{"shrink_node", SYMBOL_MEMORY},
	{"shrink_folio_list", SYMBOL_MEMORY},
	{"shrink_page_list", SYMBOL_MEMORY},
	{"congestion_wait", SYMBOL_MEMORY}, /* up to 5.15 */
	{"wait_iff_congested", SYMBOL_MEMORY},
	{"mem_cgroup_handle_over_high", SYMBOL_MEMORY},
	{"__mem_cgroup_handle_over_high", SYMBOL_MEMORY},
	{"do_swap_page", SYMBOL_MEMORY},
	{"swap_readpage", SYMBOL_MEMORY},
	{"swap_read_folio", SYMBOL_MEMORY},
	{"read_swap_cache_async", SYMBOL_MEMORY},
	{"swapin_readahead", SYMBOL_MEMORY},

	/* File systems elsewhere: NFS, FUSE, ceph, 9p */
	{"rpc_wait_bit_killable", SYMBOL_REMOTE},
	{"nfs_wait_*", SYMBOL_REMOTE},
	{"wait_on_commit", SYMBOL_REMOTE},
	{"request_wait_answer", SYMBOL_REMOTE},
	{"fuse_get_req", SYMBOL_REMOTE},
	{"ceph_mdsc_wait_request", SYMBOL_REMOTE},
	{"ceph_osdc_*", SYMBOL_REMOTE},
	{"p9_client_rpc", SYMBOL_REMOTE},

	/* For a child; a vfork parent is in state D all the while */
	{"do_wait", SYMBOL_CHILD},
	{"kernel_clone", SYMBOL_CHILD},
	{"_do_fork", SYMBOL_CHILD}, /* kernel_clone up to 5.9 */
	{"wait_for_vfork_done", SYMBOL_CHILD},

	{"anon_pipe_read", SYMBOL_PIPE},
	{"anon_pipe_write", SYMBOL_PIPE},
	{"pipe_read", SYMBOL_PIPE},
	{"pipe_write", SYMBOL_PIPE},
	{"pipe_wait*", SYMBOL_PIPE},
	{"fifo_open", SYMBOL_PIPE},
	{"do_select", SYMBOL_POLL},
	{"poll_schedule_timeout", SYMBOL_POLL},
	{"do_poll", SYMBOL_POLL},
	{"do_sys_poll", SYMBOL_POLL},
	{"ep_poll", SYMBOL_POLL},
	{"n_tty_read", SYMBOL_POLL},
	{"wait_woken", SYMBOL_NETWORK},
	{"inet_csk_accept", SYMBOL_NETWORK},
	{"unix_stream_*", SYMBOL_NETWORK}, /* a local server: who runs it is not known */
	{"__skb_wait_for_more_packets", SYMBOL_NETWORK},
	{"hrtimer_nanosleep", SYMBOL_TIMER},
	{"do_nanosleep", SYMBOL_TIMER},

	{"futex_do_wait", SYMBOL_LOCK},
	{"futex_wait_queue*", SYMBOL_LOCK},
	{"locks_lock_inode_wait", SYMBOL_LOCK},
	{"flock_lock_inode_wait", SYMBOL_LOCK},
	{"__mmap_region", SYMBOL_LOCK}, /* state D on an idle disk: threads in a queue for one address space or file */
	{"vma_prepare", SYMBOL_LOCK},
	{"unlink_file_vma_batch_process", SYMBOL_LOCK},
	{"path_openat", SYMBOL_LOCK},
	{"walk_component", SYMBOL_LOCK},
	{"lock_rename", SYMBOL_LOCK},
	{"call_rwsem_down_*", SYMBOL_LOCK}, /* up to 5.0 */
};
/* clang-format on */

static bool matches(const char *pattern, const char *name, size_t len)
{
	size_t i = 0;

	while (i < len && pattern[i] == name[i])
		i++;
	return pattern[i] == '*' || (i == len && pattern[i] == '\0');
}

enum symbol_kind symbol_find(const char *name)
{
	size_t len = strcspn(name, ".+ ");

	for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
		if (symbols[i].name[0] == name[0] && matches(symbols[i].name, name, len))
			return symbols[i].kind;
	return SYMBOL_NONE;
}
