import type { Answer } from '../../base/api/client';

export type Provider = Answer<'GET /v1/ai-providers'>[number];
