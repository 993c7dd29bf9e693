"""The results and claims of Bahdanau, Cho and Bengio (2015) and of related papers, beside our measurements."""
