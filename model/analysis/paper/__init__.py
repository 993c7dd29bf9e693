"""What Bahdanau, Cho and Bengio (2015) report and claim, and the measurements that are put beside it."""
