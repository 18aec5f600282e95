import { useState } from 'preact/hooks';
import { api } from '../../base/api/client';
import { settle, type Failure } from '../../base/api/failure';
import { reliably } from '../../base/api/reliably';
import { FormDialog } from '../../base/components/Dialog';
import { Field, SelectField, TextField } from '../../base/components/Field';
import { Notice } from '../../base/components/States';
import { t } from '../../base/text';
import { ListedFields } from '../ListedFields';
import { filled, isComplete } from '../secrets/vendors';
import type { Provider } from './model';
import { linesOf, modelsOf, VENDOR_NAMES, VENDORS, type VendorName } from './vendors';

const texts = (config: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(config).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

/** The server validates a key with the vendor before it stores it; without a new key the old one stays. */
export function ProviderDialog({
  provider,
  close,
  changed,
}: {
  provider?: Provider;
  close: () => void;
  changed: () => void;
}) {
  const [vendor, setVendor] = useState<VendorName>(
    provider && provider.provider !== 'activepieces' ? provider.provider : 'openai',
  );
  const [displayName, setDisplayName] = useState(provider?.name ?? '');
  const [config, setConfig] = useState(texts(provider?.config ?? {}));
  const [auth, setAuth] = useState<Record<string, string>>({});
  const [models, setModels] = useState(linesOf(provider?.config['models']));
  const kind = VENDORS[vendor];
  const perform = async (): Promise<Failure | undefined> => {
    const told = {
      displayName: displayName.trim() || kind.title,
      config: {
        ...provider?.config,
        ...filled(kind.config, config),
        ...(kind.listsModels ? { models: modelsOf(models) } : {}),
      },
    };
    const given = filled(kind.auth, auth);
    const saved = provider
      ? await api('POST /v1/ai-providers/{id}', {
          path: { id: provider.id },
          body: Object.keys(given).length > 0 ? { ...told, auth: given } : told,
        })
      : await reliably('POST /v1/ai-providers', { body: { ...told, provider: vendor, auth: given } });
    return settle(saved, changed);
  };
  return (
    <FormDialog
      title={t(provider ? 'ai.change' : 'ai.new')}
      submit={t(provider ? 'base.save' : 'secrets.connect')}
      onClose={close}
      perform={perform}
      disabled={
        !isComplete(kind.config, config) ||
        (!provider && !isComplete(kind.auth, auth)) ||
        (kind.listsModels === true && modelsOf(models).length === 0)
      }>
      {(problems) => (
        <>
          {provider ? null : (
            <SelectField
              label={t('ai.vendor')}
              value={vendor}
              onValue={(value) => setVendor(value as VendorName)}
              options={VENDOR_NAMES.map((value) => ({ value, label: VENDORS[value].title }))}
            />
          )}
          <TextField
            label={t('flows.column.name')}
            value={displayName}
            onValue={setDisplayName}
            problem={problems['displayName']}
            control={{ name: 'displayName', placeholder: kind.title }}
          />
          <ListedFields fields={kind.config} typed={config} type={setConfig} problems={problems} at="config." />
          {kind.listsModels ? (
            <Field label={t('ai.models')} help={t('ai.modelsHelp')} problem={problems['config.models']}>
              {(wiring) => (
                <textarea
                  class="input mono"
                  {...wiring}
                  name="models"
                  rows={3}
                  spellcheck={false}
                  value={models}
                  onInput={(event) => setModels(event.currentTarget.value)}
                />
              )}
            </Field>
          ) : null}
          {provider ? <Notice tone="grey">{t('ai.keyStays')}</Notice> : null}
          <ListedFields fields={kind.auth} typed={auth} type={setAuth} problems={problems} at="auth." />
        </>
      )}
    </FormDialog>
  );
}
