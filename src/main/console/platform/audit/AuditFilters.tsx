import { api, type Answer } from '../../base/api/client';
import { Button } from '../../base/components/Button';
import { FilterChoice, FilterCombo } from '../../base/components/FilterChoice';
import { useQuery } from '../../base/query';
import { narrow } from '../../base/router';
import { session } from '../../base/session';
import { useStore } from '../../base/store';
import { t, type TextKey } from '../../base/text';
import { ranges } from '../../runs/model';
import { ACTIONS, worded } from '../events/model';
import { isNarrowed, type Filter } from './filter';

type User = Answer<'GET /v1/users/{id}'>;

const USERS_MAX = 200;

export function AuditFilters({ filter }: { filter: Filter }) {
  const projects = useStore(session, (now) => (now.state === 'in' ? now.projects : []));
  const users = useQuery<User[]>('users of the log', async (signal) => {
    const page = await api('GET /v1/users', { query: { limit: USERS_MAX }, signal });
    return page.ok ? { ok: true, value: page.value.data as User[] } : page;
  });
  return (
    <div class="toolbar">
      <FilterCombo
        name="action"
        label={t('audit.action')}
        any={t('audit.anyAction')}
        value={filter.action}
        options={ACTIONS.map((value) => ({ value, label: worded(value) }))}
      />
      <FilterCombo
        name="project"
        label={t('audit.project')}
        any={t('audit.anyProject')}
        value={filter.project}
        options={projects.map((each) => ({ value: each.id, label: each.displayName }))}
      />
      <FilterCombo
        name="user"
        label={t('audit.who')}
        any={t('audit.anybody')}
        value={filter.user}
        options={(users.value ?? []).map((each) => ({ value: each.id, label: each.email }))}
      />
      <FilterChoice
        name="time"
        label={t('audit.when')}
        any={t('runs.filter.anyTime')}
        value={filter.time}
        options={Object.keys(ranges).map((value) => ({ value, label: t(`runs.range.${value}` as TextKey) }))}
      />
      {isNarrowed(filter) ? (
        <Button
          kind="quiet"
          size="small"
          icon="x"
          onClick={() => narrow({ action: '', project: '', user: '', time: '' })}>
          {t('runs.filter.clear')}
        </Button>
      ) : null}
    </div>
  );
}
