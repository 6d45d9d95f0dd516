//! What was found on this machine, and how to install what is missing.
