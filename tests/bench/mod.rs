//! `warpreel bench`: what it measures is what was done, whoever is slow is named, and its files can be read again.

mod file;
mod pace;
mod statistic;
