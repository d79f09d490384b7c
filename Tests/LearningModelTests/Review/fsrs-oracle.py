"""Fits the weights of FSRS-6 with fsrs-rs and prints them as one line of numbers.

    fsrs-oracle.py < LOG

Each line of the log is a card: its answers as `rating:days`, separated by spaces, where `days` are the days since the
previous answer. fsrs-rs is a separate program here: nothing of it is part of Waymark.
"""
import sys

from fsrs_rs_python import FSRS, FSRSItem, FSRSReview

items = []
for line in sys.stdin:
    reviews = [FSRSReview(int(rating), int(days)) for rating, days in (word.split(":") for word in line.split())]
    days = [int(word.split(":")[1]) for word in line.split()]
    # fsrs-rs predicts the last answer of each item. Answers on the same day are not predicted.
    items += [FSRSItem(reviews[: end + 1]) for end in range(1, len(reviews)) if days[end] > 0]
weights = FSRS([]).compute_parameters(items)
print(" ".join(str(weight) for weight in weights))
