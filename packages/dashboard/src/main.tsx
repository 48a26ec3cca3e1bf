import "@mantine/core/styles/baseline.css";
import "@mantine/core/styles/default-css-variables.css";
import "@mantine/core/styles/global.css";
import "@mantine/core/styles/UnstyledButton.css";
import "@mantine/core/styles/Popover.css";
import "@mantine/core/styles/Menu.css";
import "./ui/tokens.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { createRouter, RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { newQueries } from "./api/project.js";
import { routeTree } from "./routes.js";
import { coloursManager } from "./shell/colours.js";
import { tellOfUpgrades } from "./shell/upgrade.js";
import { resolver, theme } from "./ui/theme.js";

tellOfUpgrades();
const queries = newQueries();
const router = createRouter({
  routeTree,
  context: { queries },
  defaultPreload: "intent",
  // What is loaded is kept by the cache of queries, which knows its age.
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  // What a route does not name in its address is dropped, and never reaches a page unlooked at.
  search: { strict: true },
});

const place = document.getElementById("root");
if (place)
  createRoot(place).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={resolver}
        colorSchemeManager={coloursManager}
        defaultColorScheme="auto"
      >
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
