import { useState } from 'preact/hooks';
import type { KeyScope } from '#api';
import { settle } from '../../base/api/failure';
import { reliably } from '../../base/api/reliably';
import { FormDialog } from '../../base/components/Dialog';
import { Checkbox, SelectField, TextField } from '../../base/components/Field';
import { t, type TextKey } from '../../base/text';
import { PermissionGrid } from '../../people/PermissionGrid';
import type { NewSecret } from './model';
import { endOf, LIFETIMES, scopeGroups, type Lifetime } from './scopes';

export function ApiKeyDialog({ close, made }: { close: () => void; made: (shown: NewSecret) => void }) {
  const [displayName, setDisplayName] = useState('');
  const [lifetime, setLifetime] = useState<Lifetime>('never');
  const [limited, setLimited] = useState(false);
  const [scopes, setScopes] = useState<KeyScope[]>([]);
  const perform = async () =>
    settle(
      await reliably('POST /v1/api-keys', {
        body: {
          displayName: displayName.trim(),
          scopes: limited ? scopes : null,
          expiresAt: endOf(lifetime, Date.now()),
        },
      }),
      (key) => made({ title: t('keys.made', { name: key.displayName }), secret: key.value }),
    );
  return (
    <FormDialog
      title={t('keys.newApi')}
      submit={t('base.create')}
      onClose={close}
      perform={perform}
      disabled={displayName.trim() === '' || (limited && scopes.length === 0)}
      wide={560}>
      {(problems) => (
        <>
          <TextField
            label={t('flows.column.name')}
            help={t('keys.nameHelp')}
            value={displayName}
            onValue={setDisplayName}
            problem={problems['displayName']}
            control={{ name: 'displayName' }}
          />
          <SelectField
            label={t('keys.expires')}
            value={lifetime}
            onValue={(value) => setLifetime(value as Lifetime)}
            problem={problems['expiresAt']}
            options={Object.keys(LIFETIMES).map((value) => ({ value, label: t(`keys.life.${value}` as TextKey) }))}
          />
          <Checkbox label={t('keys.limit')} checked={limited} onChange={setLimited} />
          {limited ? <Scopes chosen={scopes} choose={setScopes} /> : null}
        </>
      )}
    </FormDialog>
  );
}

function Scopes({ chosen, choose }: { chosen: KeyScope[]; choose: (scopes: KeyScope[]) => void }) {
  return (
    <fieldset class="ticks many" tabIndex={0}>
      <legend>{t('keys.scopes')}</legend>
      <PermissionGrid
        subjects={scopeGroups()}
        chosen={new Set(chosen)}
        onToggle={(scope, on) => choose(on ? [...chosen, scope] : chosen.filter((each) => each !== scope))}
      />
    </fieldset>
  );
}
