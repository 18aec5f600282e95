import { success, type Result } from '../base/api/failure';
import { reliably } from '../base/api/reliably';

export interface FeedbackTable {
  /** External id, which pieces use. */
  id: string;
  columns: { name: string; message: string };
}

export async function feedbackTable(projectId: string): Promise<Result<FeedbackTable>> {
  const table = await reliably('POST /v1/tables', { body: { projectId, name: 'Feedback' } });
  if (!table.ok) {
    return table;
  }
  const made = table.value as { id: string; externalId: string };
  const name = await field(made.id, 'Name');
  const message = name.ok ? await field(made.id, 'Message') : name;
  return name.ok && message.ok
    ? success({ id: made.externalId, columns: { name: name.value, message: message.value } })
    : name.ok
      ? (message as Result<never>)
      : name;
}

async function field(tableId: string, name: string): Promise<Result<string>> {
  const made = await reliably('POST /v1/fields', { body: { tableId, name, type: 'TEXT' } });
  return made.ok ? success((made.value as { externalId: string }).externalId) : made;
}
