import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";

const accent: MantineColorsTuple = [
  "#f1effb",
  "#ded9f5",
  "#c3baee",
  "#a89cf0",
  "#8f82ee",
  "#7263d6",
  "#5748b8",
  "#4a3ca4",
  "#3d318a",
  "#2f2670",
];

/** What Mantine's components are told of the house: sizes here, colours by our own tokens. */
export const theme = createTheme({
  colors: { accent },
  primaryColor: "accent",
  fontFamily: "var(--sans)",
  fontFamilyMonospace: "var(--mono)",
  fontSizes: { xs: "12px", sm: "13.5px", md: "13.5px", lg: "14px", xl: "20px" },
  radius: { xs: "4px", sm: "7px", md: "10px", lg: "10px", xl: "10px" },
  defaultRadius: "sm",
  respectReducedMotion: true,
});

const ours = {
  "--mantine-color-body": "var(--surface)",
  "--mantine-color-text": "var(--ink-1)",
  "--mantine-color-dimmed": "var(--ink-3)",
  "--mantine-color-placeholder": "var(--ink-3)",
  "--mantine-color-default": "var(--surface)",
  "--mantine-color-default-color": "var(--ink-1)",
  "--mantine-color-default-border": "var(--control)",
  "--mantine-color-default-hover": "var(--sunken)",
  "--mantine-color-error": "var(--bad)",
  "--mantine-color-anchor": "var(--accent)",
  "--mantine-color-disabled": "var(--sunken)",
  "--mantine-color-disabled-color": "var(--ink-3)",
  "--mantine-primary-color-filled": "var(--accent)",
  "--mantine-primary-color-filled-hover": "var(--accent-hover)",
  "--mantine-primary-color-contrast": "var(--on-accent)",
  "--mantine-primary-color-light": "var(--tint)",
  "--input-bd-focus": "var(--accent)",
};

/** Both colour schemes name the same tokens, which differ by themselves. */
export const resolver: CSSVariablesResolver = () => ({ variables: {}, light: ours, dark: ours });
