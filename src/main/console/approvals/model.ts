import type { Answer } from '../base/api/client';

export type Approval = Answer<'GET /v1/approvals'>['data'][number];
export type Request = NonNullable<Approval['request']>;
