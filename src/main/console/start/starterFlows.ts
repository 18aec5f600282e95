export type Version = (piece: string) => string;
interface Step {
  [field: string]: unknown;
}

const name = (piece: string): string => `@activepieces/piece-${piece}`;

function piece(
  version: Version,
  kind: 'trigger' | 'action',
  of: string,
  operation: string,
  display: string,
  input: Step,
): Step {
  return {
    type: kind === 'trigger' ? 'PIECE_TRIGGER' : 'PIECE',
    displayName: display,
    valid: true,
    settings: {
      pieceName: name(of),
      pieceVersion: version(name(of)),
      [kind === 'trigger' ? 'triggerName' : 'actionName']: operation,
      input,
      propertySettings: {},
    },
  };
}

/** Links a trigger and its steps in sequence, with the names that the editor would use. */
function chain(steps: Step[]): Step {
  return (
    steps.reduceRight<Step | undefined>(
      (next, step, index) => ({
        name: index === 0 ? 'trigger' : `step_${index}`,
        ...step,
        ...(index === 0 ? { lastUpdatedDate: new Date().toISOString() } : {}),
        ...(next ? { nextAction: next } : {}),
      }),
      undefined,
    ) ?? {}
  );
}

const answer = (version: Version, display: string, body: Step, respond = 'stop'): Step =>
  piece(version, 'action', 'webhook', 'return_response', display, {
    responseType: 'json',
    fields: { status: 200, headers: {}, body },
    respond,
  });

const caught = (version: Version, display: string): Step =>
  piece(version, 'trigger', 'webhook', 'catch_webhook', display, { authType: 'none' });

export const webhookFlow = (version: Version): Step =>
  chain([
    caught(version, 'Webhook call'),
    piece(version, 'action', 'data-mapper', 'advanced_mapping', 'Write a greeting', {
      mapping: {
        greeting: "Hello {{trigger['output']['body']['name']}}!",
        letters: "{{trigger['output']['body']['name'].length}}",
      },
    }),
    answer(version, 'Respond', {
      greeting: "{{step_1['output']['greeting']}}",
      letters: "{{step_1['output']['letters']}}",
    }),
  ]);

export const scheduleFlow = (version: Version, publicUrl: string): Step =>
  chain([
    piece(version, 'trigger', 'schedule', 'every_hour', 'Every hour', { run_on_weekends: true }),
    piece(version, 'action', 'http', 'send_request', 'Check health', {
      method: 'GET',
      url: `${publicUrl}/api/v1/health`,
      headers: {},
      queryParams: {},
      authType: 'NONE',
      authFields: {},
      body_type: 'none',
      body: {},
      failureMode: 'all',
    }),
    piece(version, 'action', 'data-mapper', 'advanced_mapping', 'Extract status', {
      mapping: { healthy: "{{step_1['output']['status'] == 200}}" },
    }),
  ]);

export const formFlow = (version: Version, tableId: string, columns: { name: string; message: string }): Step =>
  chain([
    piece(version, 'trigger', 'forms', 'form_submission', 'Form submission', {
      waitForResponse: false,
      inputs: [
        { displayName: 'Name', type: 'text', required: true, description: '' },
        { displayName: 'Message', type: 'text_area', required: true, description: 'What went well, what did not?' },
      ],
    }),
    piece(version, 'action', 'tables', 'tables-create-records', 'Add to table', {
      table_id: tableId,
      values: {
        values: [
          { [columns.name]: "{{trigger['output']['name']}}", [columns.message]: "{{trigger['output']['message']}}" },
        ],
      },
    }),
  ]);

export const approvalFlow = (version: Version): Step =>
  chain([
    caught(version, 'Request received'),
    answer(version, 'Confirm receipt', { received: "{{trigger['output']['body']['name']}}" }, 'respond'),
    piece(version, 'action', 'approval', 'request_approval', 'Request approval', {
      message: "Approve the request of {{trigger['output']['body']['name']}}?",
      data: { request: "{{trigger['output']['body']}}" },
      fields: [],
      approvers: [],
      escalateTo: [],
      approvalsNeeded: 1,
      declinesNeeded: 1,
      onDeadline: 'decline',
    }),
    piece(version, 'action', 'data-mapper', 'advanced_mapping', 'Record decision', {
      mapping: { approved: "{{step_2['output']['approved']}}" },
    }),
  ]);

export const aiFlow = (version: Version): Step =>
  chain([
    caught(version, 'Text received'),
    piece(version, 'action', 'http', 'send_request', 'Summarize text', {
      method: 'POST',
      url: 'https://api.openai.com/v1/chat/completions',
      headers: { Authorization: "Bearer {{variables['OPENAI_API_KEY']}}" },
      queryParams: {},
      authType: 'NONE',
      authFields: {},
      body_type: 'json',
      failureMode: 'all',
      body: {
        data: {
          model: 'gpt-5-mini',
          messages: [
            { role: 'user', content: "Summarize this in one sentence: {{trigger['output']['body']['text']}}" },
          ],
        },
      },
    }),
    answer(version, 'Respond', { summary: "{{step_1['output']['body']['choices'][0]['message']['content']}}" }),
  ]);
