"""What experiments share: the steps of a script, curves that can be resumed, and run folders."""
