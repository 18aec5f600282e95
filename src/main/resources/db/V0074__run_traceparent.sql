-- Below which span a live run stands in a trace; null while no traces are recorded, and of runs that begin one.
alter table run add column traceparent text;
