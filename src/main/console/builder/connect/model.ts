import type { Answer } from '../../base/api/client';

export type Connection = Answer<'GET /v1/app-connections/{id}'>;
