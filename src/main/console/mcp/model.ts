import type { Answer } from '../base/api/client';

export type McpServer = Answer<'GET /v1/mcp/{projectId}'>;
export type Tool = Answer<'GET /v1/mcp/{projectId}/tools'>[number];
