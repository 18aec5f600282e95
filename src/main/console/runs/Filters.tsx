import { useEffect, useState } from 'preact/hooks';
import { Button } from '../base/components/Button';
import { Checkbox } from '../base/components/Field';
import { FilterChoice, FilterCombo } from '../base/components/FilterChoice';
import { Icon } from '../base/components/Icon';
import { narrow } from '../base/router';
import { t, type TextKey } from '../base/text';
import { groupNames, isNarrowed, ranges, type Filter, type Group } from './model';

interface Props {
  filter: Filter;
  flows: ReadonlyArray<{ id: string; name: string }>;
  /** Number of runs in each group; undefined if unknown. */
  counts: Record<Group, number> | undefined;
  /** False where only failed runs are shown. */
  withStatus: boolean;
}

/** Pause after the last key press before the list is filtered. */
const TYPED_MS = 250;

export function Filters({ filter, flows, counts, withStatus }: Props) {
  const options =
    filter.flow && !flows.some((flow) => flow.id === filter.flow)
      ? [...flows, { id: filter.flow, name: filter.flow }]
      : flows;
  return (
    <div class="run-filters">
      {withStatus ? <Groups chosen={filter.status} counts={counts} /> : null}
      <div class="row run-filter-row">
        <FilterCombo
          label={t('runs.filter.flow')}
          value={filter.flow}
          any={t('runs.filter.anyFlow')}
          name="flow"
          options={options.map((flow) => ({ value: flow.id, label: flow.name }))}
        />
        <FilterChoice
          label={t('runs.filter.time')}
          value={filter.time}
          any={t('runs.filter.anyTime')}
          name="time"
          options={Object.keys(ranges).map((range) => ({ value: range, label: t(`runs.range.${range}` as TextKey) }))}
        />
        <TagField value={filter.tag} />
        <Checkbox
          checked={filter.archived}
          label={t('runs.filter.archived')}
          onChange={(on) => narrow({ archived: on ? 'true' : undefined })}
        />
        {filter.step ? (
          <Chip text={t('runs.filter.step', { step: filter.step })} remove={() => narrow({ step: undefined })} />
        ) : null}
        {filter.message ? (
          <Chip
            text={t('runs.filter.message', { text: filter.message })}
            remove={() => narrow({ message: undefined })}
          />
        ) : null}
        {isNarrowed(filter) ? (
          <Button kind="quiet" size="small" icon="x" onClick={clearFilters}>
            {t('runs.filter.clear')}
          </Button>
        ) : null}
      </div>
    </div>
  );
}

export const clearFilters = (): void => narrow({ flow: '', status: '', time: '', tag: '', step: '', message: '' });

function Groups({ chosen, counts }: { chosen: Group | ''; counts: Props['counts'] }) {
  return (
    <div class="segments" role="group" aria-label={t('runs.filter.status')}>
      {(['', ...groupNames] as const).map((group) => (
        <button key={group} type="button" aria-pressed={chosen === group} onClick={() => narrow({ status: group })}>
          {t(`runs.group.${group || 'any'}` as TextKey)}
          {counts && group ? <span class="figures">{counts[group]}</span> : null}
        </button>
      ))}
    </div>
  );
}

/** Filters after a pause in typing, not per key press. */
function TagField({ value }: { value: string }) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    const timer = setTimeout(() => typed !== value && narrow({ tag: typed.trim() }), TYPED_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <label class="with-icon run-tag">
      <Icon name="tag" />
      <input
        class="input small"
        data-search
        aria-label={t('runs.filter.tag')}
        placeholder={t('runs.filter.tag')}
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
    </label>
  );
}

function Chip({ text, remove }: { text: string; remove: () => void }) {
  return (
    <span class="filter-chip">
      <span class="cut">{text}</span>
      <button type="button" aria-label={t('runs.filter.remove', { text })} onClick={remove}>
        <Icon name="x" size={14} />
      </button>
    </span>
  );
}
