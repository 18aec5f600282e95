-- Approvals that runs wait for, and the decisions of their approvers (decision 0470). Both live as long as the waitpoint.
create table approval_task (
  waitpoint_id text collate "C" primary key references waitpoint (id) on delete cascade,
  project_id text collate "C" not null,
  -- Message, data and form as JSON, without secrets.
  shown bytea not null,
  -- E-mail addresses in lower case.
  approvers text[] not null,
  role text not null,
  approvals_needed integer not null,
  declines_needed integer not null,
  remind_every_ms bigint not null,
  -- Mails to each approver so far: the request and its reminders.
  mails integer not null default 0,
  next_mail_at timestamptz,
  escalate_at timestamptz,
  escalate_to text[] not null
);

create index approval_task_mail on approval_task (next_mail_at) where next_mail_at is not null;

create table approval_decision (
  waitpoint_id text collate "C" not null references approval_task (waitpoint_id) on delete cascade,
  -- Order of the decisions.
  position bigint generated always as identity,
  -- E-mail address of the approver in lower case: one decision each, by either way.
  approver text not null,
  -- The member who decided in the console; empty for a personal link.
  user_id text collate "C" not null,
  verdict text not null check (verdict in ('APPROVED', 'DECLINED')),
  comment text not null,
  answers bytea not null,
  decided timestamptz not null,
  primary key (waitpoint_id, approver)
);
