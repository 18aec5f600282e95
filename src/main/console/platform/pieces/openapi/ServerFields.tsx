import { useState } from 'preact/hooks';
import { Checkbox, SelectField, TextField } from '../../../base/components/Field';
import { t } from '../../../base/text';
import { serverOf, usualServer, type Choices, type Report } from './document';

interface Props {
  /** Report of the first request: its server is the usual one. */
  report: Report;
  /** Newest report, with the present values of variables. */
  newest: Report;
  first: Choices;
  choices: Choices;
  fields: Record<string, string>;
  put: (part: Partial<Choices>) => void;
}

const OTHER = '';

export function ServerFields({ report, newest, first, choices, fields, put }: Props) {
  const [isOther, setIsOther] = useState(false);
  const usual = usualServer(report);
  const templates = [...new Set([usual, ...report.servers.map((server) => server.template)])];
  const labelOf = (template: string): string =>
    newest.servers.find((server) => server.template === template)?.url ??
    (template === usual ? report.baseUrl : template);
  const server = isOther ? undefined : serverOf(report, first, choices);
  return (
    <>
      <div class="pair">
        <SelectField
          label={t('openapi.server')}
          value={isOther ? OTHER : choices.baseUrl === first.baseUrl ? usual : choices.baseUrl}
          empty={t('openapi.otherServer')}
          options={templates.map((template) => ({ value: template, label: labelOf(template) }))}
          onValue={(template) => {
            setIsOther(template === OTHER);
            // Without a choice, operations with a server of their own keep it.
            put({ baseUrl: template === usual ? first.baseUrl : template });
          }}
        />
        {isOther ? (
          <TextField
            label={t('openapi.baseUrl')}
            value={choices.baseUrl}
            onValue={(baseUrl) => put({ baseUrl })}
            problem={fields['baseUrl']}
            control={{ name: 'baseUrl', type: 'url', placeholder: 'https://api.example.com', spellcheck: false }}
          />
        ) : null}
      </div>
      {server && server.variables.length > 0 ? (
        <fieldset class="openapi-variables">
          <legend>{t('openapi.variables')}</legend>
          <div class="pair">
            {server.variables.map((variable) => {
              const typed = choices.serverVariables[variable.name];
              const shared = {
                label: variable.name,
                help: variable.description,
                problem: fields[`serverVariables.${variable.name}`],
                onValue: (value: string) =>
                  put({ serverVariables: { ...choices.serverVariables, [variable.name]: value } }),
              };
              const isByConnection = choices.connectionVariables.includes(variable.name);
              const others = choices.connectionVariables.filter((name) => name !== variable.name);
              const field =
                variable.choices.length > 0 ? (
                  <SelectField
                    key={variable.name}
                    {...shared}
                    value={typed ?? variable.default ?? ''}
                    empty={variable.default === undefined ? t('openapi.variableChoice') : undefined}
                    options={variable.choices.map((value) => ({ value, label: value }))}
                  />
                ) : (
                  <TextField
                    key={variable.name}
                    {...shared}
                    value={typed ?? ''}
                    optional={variable.default !== undefined}
                    control={{
                      name: `variable-${variable.name}`,
                      maxLength: 500,
                      placeholder: variable.default,
                      spellcheck: false,
                      autocapitalize: 'off',
                    }}
                  />
                );
              return (
                <div key={variable.name}>
                  {isByConnection ? <div class="label">{variable.name}</div> : field}
                  <Checkbox
                    label={t('openapi.byConnection')}
                    checked={isByConnection}
                    onChange={(on) => put({ connectionVariables: on ? [...others, variable.name] : others })}
                  />
                  {fields[`connectionVariables.${variable.name}`] ? (
                    <div class="problem">{fields[`connectionVariables.${variable.name}`]}</div>
                  ) : null}
                </div>
              );
            })}
          </div>
        </fieldset>
      ) : null}
    </>
  );
}
