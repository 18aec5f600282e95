import { useState } from 'preact/hooks';
import { api } from '../../base/api/client';
import { settle, type Failure } from '../../base/api/failure';
import { reliably } from '../../base/api/reliably';
import { ComboField } from '../../base/components/Combobox';
import { FormDialog } from '../../base/components/Dialog';
import { Field, TextField } from '../../base/components/Field';
import { useQuery } from '../../base/query';
import { session, usualProject } from '../../base/session';
import { useStore } from '../../base/store';
import { t } from '../../base/text';
import type { Flow } from '../../flows/model';
import { changesOf, fresh, newOf, type Template } from './model';

const FLOWS_MAX = 200;

export function TemplateFormDialog({
  template,
  close,
  changed,
}: {
  template?: Template;
  close: () => void;
  changed: () => void;
}) {
  const now = useStore(session, (state) => (state.state === 'in' ? state : undefined));
  const [input, setInput] = useState(() => fresh(template, now?.user.firstName ?? ''));
  const [projectId, setProjectId] = useState(now ? (usualProject(now.projects)?.id ?? '') : '');
  const flows = useQuery<Flow[]>(`flows for a template ${projectId}`, async (signal) => {
    const page = await api('GET /v1/flows', { query: { projectId, limit: FLOWS_MAX }, signal });
    return page.ok ? { ok: true, value: page.value.data as Flow[] } : page;
  });
  const perform = async (): Promise<Failure | undefined> => {
    if (template) {
      return settle(
        await api('POST /v1/templates/{id}', { path: { id: template.id }, body: changesOf(input) }),
        changed,
      );
    }
    const exported = await api('GET /v1/flows/{id}/template', { path: { id: input.flowId } });
    return exported.ok
      ? settle(await reliably('POST /v1/templates', { body: newOf(input, exported.value.flows) }), changed)
      : exported.failure;
  };
  const text =
    (key: 'name' | 'summary' | 'author' | 'categories' | 'tags', help?: string) =>
    (problems: Record<string, string>) => (
      <TextField
        label={t(`templates.${key}`)}
        help={help}
        value={input[key]}
        onValue={(value) => setInput({ ...input, [key]: value })}
        problem={problems[key]}
        control={{ name: key }}
        {...(key === 'categories' || key === 'tags' ? { optional: true } : {})}
      />
    );
  return (
    <FormDialog
      title={t(template ? 'templates.change' : 'templates.new')}
      submit={t(template ? 'base.save' : 'base.create')}
      onClose={close}
      perform={perform}
      disabled={input.name.trim() === '' || (!template && input.flowId === '')}>
      {(problems) => (
        <>
          {template ? null : (
            <>
              <ComboField
                field="project"
                label={t('audit.project')}
                value={projectId}
                onValue={setProjectId}
                options={(now?.projects ?? []).map((each) => ({ value: each.id, label: each.displayName }))}
              />
              <ComboField
                field="flow"
                label={t('templates.flow')}
                empty={t('templates.chooseFlow')}
                value={input.flowId}
                options={(flows.value ?? []).map((flow) => ({ value: flow.id, label: flow.version.displayName }))}
                onValue={(flowId) =>
                  setInput({
                    ...input,
                    flowId,
                    name: input.name || (flows.value?.find((flow) => flow.id === flowId)?.version.displayName ?? ''),
                  })
                }
              />
            </>
          )}
          {text('name')(problems)}
          {text('summary')(problems)}
          <Field label={t('templates.description')} problem={problems['description']}>
            {(wiring) => (
              <textarea
                class="input"
                {...wiring}
                name="description"
                rows={3}
                value={input.description}
                onInput={(event) => setInput({ ...input, description: event.currentTarget.value })}
              />
            )}
          </Field>
          {template ? null : text('author')(problems)}
          {text('categories', t('templates.commas'))(problems)}
          {text('tags', t('templates.commas'))(problems)}
        </>
      )}
    </FormDialog>
  );
}
