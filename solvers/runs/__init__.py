"""What a learner keeps on disk, and how it is configured."""
