-- Which models of a provider a platform offers: all, or those that are named.
alter table ai_provider
  add column model_scope text not null default 'ALL' check (model_scope in ('ALL', 'SELECTED')),
  add column model_ids text[] not null default '{}';
