import { CopyButton } from '../../base/components/CopyButton';
import { ComboField } from '../../base/components/Combobox';
import { Checkbox, TextField } from '../../base/components/Field';
import { keepsDigits } from '../../base/digits';
import { parseJson } from '../../base/json';
import { Markdown } from '../fields/MarkdownField';
import { t } from '../../base/text';
import { textOf } from '../fields/scope';
import type { Auth, Property } from '../properties';
import { redirectUrl } from './oauth';
import { SetupGuide } from './SetupGuide';

export type Secrets = Record<string, unknown>;

interface Props {
  pieceName: string;
  auth: Auth;
  secrets: Secrets;
  onSecrets: (secrets: Secrets) => void;
  problems: Record<string, string>;
  /** Asks for the OAuth client; false if the platform has one. */
  withClient?: boolean;
}

export function AuthInputs({ pieceName, auth, secrets, onSecrets, problems, withClient = true }: Props) {
  const secret = (key: string, label: string, help?: string, hidden = true) => (
    <TextField
      key={key}
      label={label}
      help={help ? <Markdown text={help} /> : undefined}
      value={textOf(secrets[key])}
      problem={problems[`value.${key}`]}
      control={{ type: hidden ? 'password' : 'text', autocomplete: 'off', required: true, name: key }}
      onValue={(text) => onSecrets({ ...secrets, [key]: text })}
    />
  );
  const props = (secrets['props'] ?? {}) as Record<string, unknown>;
  const extra = Object.entries(auth.props ?? {}).map(([key, property]) => (
    <AuthProperty
      key={key}
      name={key}
      property={property}
      value={props[key]}
      onValue={(value) => onSecrets({ ...secrets, props: { ...props, [key]: value } })}
    />
  ));
  switch (auth.type) {
    case 'SECRET_TEXT':
      return <>{secret('secret_text', auth.displayName ?? t('connect.secret'), auth.description)}</>;
    case 'BASIC_AUTH':
      return (
        <>
          <Help text={auth.description} />
          {secret('username', auth.username?.displayName ?? t('connect.username'), auth.username?.description, false)}
          {secret('password', auth.password?.displayName ?? t('connect.password'), auth.password?.description)}
        </>
      );
    case 'OAUTH2':
      return (
        <>
          <Help text={auth.description} />
          {withClient ? (
            <>
              <SetupGuide pieceName={pieceName} withHint={false} />
              <div class="field">
                <div class="label">{t('connect.redirect')}</div>
                <div class="copyable">
                  <code class="cut">{redirectUrl()}</code>
                  <CopyButton text={redirectUrl()} />
                </div>
                <div class="help">{t('connect.redirectHelp')}</div>
              </div>
              {secret('client_id', t('connect.clientId'), undefined, false)}
              {secret('client_secret', t('connect.clientSecret'))}
            </>
          ) : (
            <p>{t('connect.platformClient')}</p>
          )}
          {extra}
        </>
      );
    default:
      return (
        <>
          <Help text={auth.description} />
          {extra}
        </>
      );
  }
}

const Help = ({ text }: { text?: string | undefined }) =>
  text ? (
    <div class="prose">
      <div>
        <Markdown text={text} />
      </div>
    </div>
  ) : null;

function AuthProperty({
  name,
  property,
  value,
  onValue,
}: {
  name: string;
  property: Property;
  value: unknown;
  onValue: (value: unknown) => void;
}) {
  const label = property.displayName || name;
  switch (property.type) {
    case 'MARKDOWN':
      return <Help text={property.description} />;
    case 'CHECKBOX':
      return (
        <>
          <Checkbox label={label} checked={value === true} onChange={onValue} />
          <Help text={property.description} />
        </>
      );
    case 'STATIC_DROPDOWN':
      return (
        <ComboField
          label={label}
          value={value === undefined ? '' : JSON.stringify(value)}
          empty={t('field.nothing')}
          help={property.description ? <Markdown text={property.description} /> : undefined}
          options={(property.options?.options ?? []).map((option) => ({
            value: JSON.stringify(option.value),
            label: option.label,
          }))}
          onValue={(text) => onValue(text === '' ? undefined : parseJson(text))}
        />
      );
    default:
      return (
        <TextField
          label={label}
          optional={!property.required}
          help={property.description ? <Markdown text={property.description} /> : undefined}
          value={textOf(value)}
          control={{
            type: property.type === 'SECRET_TEXT' ? 'password' : property.type === 'NUMBER' ? 'number' : 'text',
            autocomplete: 'off',
            name,
          }}
          onValue={(text) =>
            onValue(property.type === 'NUMBER' && text !== '' && keepsDigits(text) ? Number(text) : text)
          }
        />
      );
  }
}
