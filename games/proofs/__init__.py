"""Proofs and who checks them."""
