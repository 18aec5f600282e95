import { useState } from 'preact/hooks';
import { Button } from '../../../base/components/Button';
import { Checkbox, SearchField } from '../../../base/components/Field';
import { t } from '../../../base/text';
import { chosenAfter, keyOf, keysOf, searched, type Group } from './document';

interface Props {
  groups: readonly Group[];
  chosen: ReadonlySet<string>;
  /** Actions of the installed version; undefined for a new piece. */
  before: readonly string[] | undefined;
  onChosen: (chosen: Set<string>) => void;
}

/** Groups rendered at first: a document may have thousands of operations. */
const OPERATIONS_SHOWN = 300;

export function OperationList({ groups, chosen, before, onChosen }: Props) {
  const [typed, setTyped] = useState('');
  const found = searched(groups, typed);
  const keys = keysOf(found);
  let room = OPERATIONS_SHOWN;
  return (
    <fieldset class="openapi-operations">
      <legend>
        {t('openapi.operations')}{' '}
        <span class="faint">{t('openapi.chosen', { chosen: chosen.size, all: keysOf(groups).length })}</span>
      </legend>
      <div class="toolbar">
        <SearchField label={t('openapi.search')} value={typed} onValue={setTyped} />
        <Button size="small" onClick={() => onChosen(chosenAfter(chosen, keys, true))}>
          {t('openapi.all')}
        </Button>
        <Button size="small" onClick={() => onChosen(chosenAfter(chosen, keys, false))}>
          {t('openapi.noneChosen')}
        </Button>
      </div>
      {found.length === 0 ? (
        <p class="faint">{t('openapi.noMatch', { text: typed })}</p>
      ) : (
        <div class="openapi-groups" tabIndex={0} role="group" aria-label={t('openapi.operations')}>
          {found.map((group) => {
            const shown = group.operations.slice(0, Math.max(0, room));
            room -= shown.length;
            return shown.length === 0 ? null : (
              <OperationGroup
                key={group.tag}
                group={{ ...group, operations: shown }}
                chosen={chosen}
                before={before}
                onChosen={onChosen}
              />
            );
          })}
          {room <= 0 && keys.length > OPERATIONS_SHOWN ? (
            <p class="faint">{t('openapi.limit', { shown: OPERATIONS_SHOWN, all: keys.length })}</p>
          ) : null}
        </div>
      )}
    </fieldset>
  );
}

function OperationGroup({ group, chosen, before, onChosen }: Omit<Props, 'groups'> & { group: Group }) {
  const keys = group.operations.map(keyOf);
  return (
    <div class="openapi-group">
      <Checkbox
        label={<strong>{group.tag || t('openapi.untagged')}</strong>}
        checked={keys.every((key) => chosen.has(key))}
        onChange={(on) => onChosen(chosenAfter(chosen, keys, on))}
      />
      {group.operations.map((operation) => {
        const key = keyOf(operation);
        return (
          <Checkbox
            key={key}
            checked={chosen.has(key)}
            onChange={(on) => onChosen(chosenAfter(chosen, [key], on))}
            label={
              <span class="openapi-operation">
                <span>
                  <code class="method">{operation.method}</code> {operation.summary || operation.actionName}
                </span>
                <code class="faint">{operation.path}</code>
                {operation.deprecated ? <span class="tag">{t('openapi.deprecated')}</span> : null}
                {before && !before.includes(operation.actionName) ? <span class="tag">{t('openapi.new')}</span> : null}
              </span>
            }
          />
        );
      })}
    </div>
  );
}
