"""Inference with the transformers library, on CPU and CUDA."""
