"""Digits of the README that do not come from `assets/`, as patterns over its text without line breaks: names, commands,
years, and what was measured on one machine by a command that the README names beside it.
"""

ELSEWHERE = {
    "models and measures whose names have digits": r"(RNNsearch( with coverage)?|RNNencdec|Seq2Seq|Luong"
                                               r"|Pointer-generator|Transformer)-(30|50)\b|"
                                                r"-50 and -30|-30 saw|rnnsearch-50|seq2seq",
    "data whose names have digits": r"newstest20\d\d|FLORES-200|europarl-2000q4|Europarl v7|Europarl of late 2000",
    "programs": r"\bpython3\b",
    "the scale of α, and what its rows sum to": r"from 0 to 1\b|sums to 1\b",
    "formats": r"\b(float32|float64|bfloat16|BF16|AVX512-BF16|UTF-8|UTF8Encoding)\b",
    "the interface's server": r"127\.0\.0\.1:8501|--server\.address 0\.0\.0\.0|"
                              r"proxy_http_version 1\.1;.*?client_max_body_size 6m;",
    "years and numbers of publications": r"\b(ICLR|EMNLP|ACL|NIPS|Summit|WMT|PBML|NAACL) 20\d\d|arXiv 1409\.0473|"
                                         r"Bengio \(2015\)|Koehn 2005|Och and Ney 2000",
    "where the paper says it": r"Tables 1 and 2, Figures 2 and 3|section 5\.2\.2|the paper's Figure 2",
    "versions": r"Python 3\.11 to 3\.14|py -3\.13|macOS 14|CC BY 2\.0 FR",
    "the size of torch with CUDA": r"about 2\.7 GB",
    "options of commands": r"--(beam|n-best|vocabulary|nproc-per-node|longest|cool-down) \d+|GLIBC_TUNABLES=\S+",
    "exit code of a command, and workers of pytest": r"exit code 2|pytest -n 2",
    "bands": r"95 % band",
    "limits of the laboratory": r"up to 500 sentences of your own text",
    "lengths that the models were shown or tested with": r"even past 50 words|shown more than 30",
    "columns of the table of the relatives": r"greedy \| beam 12 \|.*?of 40 \| of 60 \| names, of 92 \| alignment",
    "bench": r"`python -m model bench --threads 1`, one core.*?sentences a second, 64 together\.",
    "bench on a GPU": r"On an NVIDIA H200 with torch 2\.11.*?as far recorded as one by one\.",
    "joeynmt beside it": r"Against joeynmt 2\.3.*?beam of 12\.",
    "precision": r"loss of 200 updates by \+0\.0004 nats in the mean, other dropout by -0\.0029",
    "speed in a browser": r"In a real Chromium on two cores of the Xeon.*?\(`python -m tests\.browser\.long_file`\)",
}  # fmt: skip
"""What it is: the pattern. Each must be found, so that none outlives its passage."""
