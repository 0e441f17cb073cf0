//! principles
