//! What travels with the pictures.
