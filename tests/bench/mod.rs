//! `warpreel bench`: what it measures is what was done, whoever is slow is named, and its files can be read again.

mod baseline;
mod compare;
mod file;
mod ladder;
mod live;
mod pace;
mod page;
mod pipe;
mod result;
mod share;
mod slow;
mod statistic;
mod thread;
mod verdict;
