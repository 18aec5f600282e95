import { useState } from 'preact/hooks';
import type { Failure } from '../../base/api/failure';
import { FormDialog } from '../../base/components/Dialog';
import { TextField } from '../../base/components/Field';
import { say } from '../../base/components/Toasts';
import { redirectUrlOf } from '../../base/popup';
import { reloadFlags, session } from '../../base/session';
import { useStore } from '../../base/store';
import { t } from '../../base/text';
import { ProviderPanel } from './ProviderPanel';
import type { Props } from './Ways';

export function OidcPanel({ platform, change }: Props) {
  const flags = useStore(session, (now) => (now.state === 'in' ? now.flags : {}));
  return (
    <ProviderPanel
      id="oidc"
      title={t('signOn.oidc')}
      text={t('signOn.oidcText')}
      there={Boolean(platform.federatedAuthProviders?.oidc)}
      told={[[t('signOn.redirect'), redirectUrlOf(flags)]]}
      remove={() => change({ federatedAuthProviders: { oidc: null } })}
      form={(close) => <OidcDialog change={change} close={close} />}
    />
  );
}

function OidcDialog({ change, close }: Pick<Props, 'change'> & { close: () => void }) {
  const [oidc, setOidc] = useState({ issuer: '', clientId: '', clientSecret: '' });
  const perform = async (): Promise<Failure | undefined> => {
    const failure = await change({ federatedAuthProviders: { oidc } });
    if (!failure) {
      await reloadFlags();
      say(t('signOn.saved', { name: t('signOn.oidc') }));
    }
    return failure;
  };
  const at = 'federatedAuthProviders.oidc.';
  return (
    <FormDialog
      title={t('signOn.oidc')}
      submit={t('base.save')}
      onClose={close}
      perform={perform}
      disabled={Object.values(oidc).some((value) => value.trim() === '')}>
      {(problems) => (
        <>
          <TextField
            label={t('signOn.issuer')}
            help={t('signOn.issuerHelp')}
            value={oidc.issuer}
            onValue={(issuer) => setOidc({ ...oidc, issuer })}
            problem={problems[`${at}issuer`]}
            control={{ name: 'issuer', type: 'url', placeholder: 'https://login.acme.example' }}
          />
          <TextField
            label={t('signOn.clientId')}
            value={oidc.clientId}
            onValue={(clientId) => setOidc({ ...oidc, clientId })}
            problem={problems[`${at}clientId`]}
            control={{ name: 'clientId', spellcheck: false, autocomplete: 'off' }}
          />
          <TextField
            label={t('signOn.clientSecret')}
            help={t('signOn.secretHelp')}
            value={oidc.clientSecret}
            onValue={(clientSecret) => setOidc({ ...oidc, clientSecret })}
            problem={problems[`${at}clientSecret`]}
            control={{ name: 'clientSecret', type: 'password', autocomplete: 'off' }}
          />
        </>
      )}
    </FormDialog>
  );
}
