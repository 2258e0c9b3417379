"""Inference with vLLM in separate processes, with the same code for its CUDA and its CPU build.

Importing this package does not import vLLM; `available` tells whether it can be used.
"""
