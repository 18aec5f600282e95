-- Paused runs are most of those that live for long, and nobody who looks for work may pay for them.
create index run_claimable on run (owner, created) where status <> 'PAUSED';
drop index run_of_owner;
