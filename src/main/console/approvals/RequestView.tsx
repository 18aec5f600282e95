import { Checkbox, Field, TextField } from '../base/components/Field';
import { Icon } from '../base/components/Icon';
import { t } from '../base/text';
import { moment } from '../base/time';
import type { Request } from './model';

export type Answers = Record<string, string | boolean>;

const shown = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

export function RequestView({ request }: { request: Request }) {
  const data = Object.entries(request.data);
  const approved = request.decisions.filter((each) => each.decision === 'APPROVED').length;
  const who = [...request.approvers, ...(request.role ? [t('approvals.role', { role: request.role })] : [])];
  return (
    <>
      <p class="approval-message">{request.message}</p>
      {data.length > 0 ? (
        <dl class="approval-input">
          {data.map(([key, value]) => (
            <div key={key}>
              <dt>{key}</dt>
              <dd>{shown(value)}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      <p class="faint" data-progress>
        {t('approvals.progress', { count: approved, needed: request.approvalsNeeded })}{' '}
        {who.length > 0 ? t('approvals.approvers', { names: who.join(', ') }) : t('approvals.everyone')}
      </p>
      {request.decisions.length > 0 ? (
        <ul class="approval-decisions">
          {request.decisions.map((each) => (
            <li key={each.by}>
              <Icon name={each.decision === 'APPROVED' ? 'check' : 'x'} />
              <span>
                {t(each.decision === 'APPROVED' ? 'approvals.byApproved' : 'approvals.byDeclined', {
                  name: each.by,
                  time: moment(each.at),
                })}
                {each.comment ? ` “${each.comment}”` : ''}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}

export function RequestFields({
  request,
  answers,
  change,
}: {
  request: Request;
  answers: Answers;
  change: (answers: Answers) => void;
}) {
  return (
    <>
      {request.fields.map((field) => {
        const set = (value: string | boolean): void => change({ ...answers, [field.name]: value });
        const value = String(answers[field.name] ?? '');
        if (field.type === 'toggle') {
          return (
            <Checkbox
              key={field.name}
              label={field.displayName}
              checked={answers[field.name] === true}
              onChange={set}
            />
          );
        }
        if (field.type === 'text_area') {
          return (
            <Field key={field.name} label={field.displayName} optional={!field.required}>
              {(wiring) => (
                <textarea
                  class="input"
                  rows={4}
                  {...wiring}
                  value={value}
                  onInput={(event) => set(event.currentTarget.value)}
                />
              )}
            </Field>
          );
        }
        return (
          <TextField
            key={field.name}
            label={field.displayName}
            optional={!field.required}
            value={value}
            onValue={set}
            control={{
              type: field.type === 'text' ? 'text' : field.type,
              name: field.name,
              ...(field.type === 'number' ? { step: 'any' } : {}),
            }}
          />
        );
      })}
    </>
  );
}
