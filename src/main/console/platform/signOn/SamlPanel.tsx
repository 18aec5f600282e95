import { useState } from 'preact/hooks';
import type { Failure } from '../../base/api/failure';
import { FormDialog } from '../../base/components/Dialog';
import { Field, TextField } from '../../base/components/Field';
import { say } from '../../base/components/Toasts';
import { prefix } from '../../base/prefix';
import { reloadFlags, session } from '../../base/session';
import { useStore } from '../../base/store';
import { t } from '../../base/text';
import { ProviderPanel } from './ProviderPanel';
import type { Props } from './Ways';

export function SamlPanel({ platform, change }: Props) {
  const acs = useStore(session, (now) => (now.state === 'in' ? String(now.flags['SAML_AUTH_ACS_URL'] ?? '') : ''));
  return (
    <ProviderPanel
      id="saml"
      title={t('signOn.saml')}
      text={t('signOn.samlText')}
      there={Boolean(platform.federatedAuthProviders?.saml)}
      told={[
        [t('signOn.acs'), acs],
        [t('signOn.metadata'), `${location.origin}${prefix}/api/v1/authn/saml/metadata`],
      ]}
      remove={() => change({ federatedAuthProviders: { saml: null } })}
      form={(close) => <SamlDialog change={change} close={close} />}
    />
  );
}

const ATTRIBUTES = ['email', 'firstName', 'lastName'] as const;

function SamlDialog({ change, close }: Pick<Props, 'change'> & { close: () => void }) {
  const [saml, setSaml] = useState({ idpMetadata: '', idpCertificate: '' });
  const [names, setNames] = useState<Partial<Record<(typeof ATTRIBUTES)[number], string>>>({});
  const perform = async (): Promise<Failure | undefined> => {
    const attributeMapping = Object.fromEntries(Object.entries(names).filter(([, value]) => value.trim() !== ''));
    const failure = await change({
      federatedAuthProviders: {
        saml: { ...saml, ...(Object.keys(attributeMapping).length > 0 ? { attributeMapping } : {}) },
      },
    });
    if (!failure) {
      await reloadFlags();
      say(t('signOn.saved', { name: t('signOn.saml') }));
    }
    return failure;
  };
  const at = 'federatedAuthProviders.saml.';
  return (
    <FormDialog
      title={t('signOn.saml')}
      submit={t('base.save')}
      onClose={close}
      perform={perform}
      disabled={saml.idpMetadata.trim() === '' || saml.idpCertificate.trim() === ''}>
      {(problems) => (
        <>
          {(['idpMetadata', 'idpCertificate'] as const).map((key) => (
            <Field key={key} label={t(`signOn.${key}`)} help={t(`signOn.${key}Help`)} problem={problems[at + key]}>
              {(wiring) => (
                <textarea
                  class="input mono"
                  {...wiring}
                  name={key}
                  rows={4}
                  spellcheck={false}
                  value={saml[key]}
                  onInput={(event) => setSaml({ ...saml, [key]: event.currentTarget.value })}
                />
              )}
            </Field>
          ))}
          {ATTRIBUTES.map((key) => (
            <TextField
              key={key}
              optional
              label={t(`signOn.attribute.${key}`)}
              value={names[key] ?? ''}
              onValue={(value) => setNames({ ...names, [key]: value })}
              problem={problems[`${at}attributeMapping.${key}`]}
              control={{ name: key, spellcheck: false }}
            />
          ))}
        </>
      )}
    </FormDialog>
  );
}
