"""Inference by vLLM, in processes of its own that this one talks to: its CUDA and its CPU build by the same code.

Importing this imports no vLLM; `available` says whether it can be used.
"""
